// RUN: autodeploy-opt %s --use-reciprocals | filecheck %s

// The sum of numbers that follow from two tensors of codes is multiplied where the codes are those of the division, of
// all pairs of codes; bounds and products may come in between.

func.func @sum(%a: tensor<1x4xui8>, %b: tensor<1x4xi8>) -> tensor<1x4xui8> {
  %f = nn.constant #nn.dense<0.5 : tensor<f32>>
  %g = nn.constant #nn.dense<0.25 : tensor<f32>>
  %s = nn.constant #nn.dense<0.75 : tensor<f32>>
  %y = nn.constant #nn.dense<3 : tensor<ui8>>
  %z = nn.constant #nn.dense<-5 : tensor<i8>>
  %m = nn.dequantize %a, %f, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %n = nn.dequantize %b, %g, %z : (tensor<1x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4xf32>
  %t = nn.add %m, %n : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %q = nn.quantize %t, %s, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
  func.return %q : tensor<1x4xui8>
}

func.func @bounded(%a: tensor<1x4xui8>, %b: tensor<1x4xi8>) -> tensor<1x4xui8> {
  %f = nn.constant #nn.dense<0.021 : tensor<f32>>
  %g = nn.constant #nn.dense<0.037 : tensor<f32>>
  %s = nn.constant #nn.dense<0.053 : tensor<f32>>
  %y = nn.constant #nn.dense<3 : tensor<ui8>>
  %z = nn.constant #nn.dense<-5 : tensor<i8>>
  %m = nn.dequantize %a, %f, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %n = nn.dequantize %b, %g, %z : (tensor<1x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4xf32>
  %t = nn.mul %m, %n : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %r = nn.relu %t : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %q = nn.quantize %r, %s, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
  func.return %q : tensor<1x4xui8>
}

// CHECK:      func.func @sum(%a: tensor<1x4xui8>, %b: tensor<1x4xi8>) -> tensor<1x4xui8> {
// CHECK-NEXT:   %f = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %g = nn.constant #nn.dense<0.25 : tensor<f32>>
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.75 : tensor<f32>>
// CHECK-NEXT:   %y = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<-5 : tensor<i8>>
// CHECK-NEXT:   %m = nn.dequantize %a, %f, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
// CHECK-NEXT:   %n = nn.dequantize %b, %g, %z : (tensor<1x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4xf32>
// CHECK-NEXT:   %t = nn.add %m, %n : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<1.3333334 : tensor<f32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<1.0 : tensor<f32>>
// CHECK-NEXT:   %q = nn.mul %t, %0 : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
// CHECK-NEXT:   %q_1 = nn.quantize %q, %1, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
// CHECK-NEXT:   func.return %q_1 : tensor<1x4xui8>
// CHECK-NEXT: }

// CHECK:      func.func @bounded(%a: tensor<1x4xui8>, %b: tensor<1x4xi8>) -> tensor<1x4xui8> {
// CHECK-NEXT:   %f = nn.constant #nn.dense<0.021 : tensor<f32>>
// CHECK-NEXT:   %g = nn.constant #nn.dense<0.037 : tensor<f32>>
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.053 : tensor<f32>>
// CHECK-NEXT:   %y = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<-5 : tensor<i8>>
// CHECK-NEXT:   %m = nn.dequantize %a, %f, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
// CHECK-NEXT:   %n = nn.dequantize %b, %g, %z : (tensor<1x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4xf32>
// CHECK-NEXT:   %t = nn.mul %m, %n : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT:   %r = nn.relu %t : (tensor<1x4xf32>) -> tensor<1x4xf32>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<18.867926 : tensor<f32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<1.0 : tensor<f32>>
// CHECK-NEXT:   %q = nn.mul %r, %0 : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
// CHECK-NEXT:   %q_1 = nn.quantize %q, %1, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
// CHECK-NEXT:   func.return %q_1 : tensor<1x4xui8>
// CHECK-NEXT: }
