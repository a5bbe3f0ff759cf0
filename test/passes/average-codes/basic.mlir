// RUN: autodeploy-opt %s --average-codes | filecheck %s

// A mean of codes is their exact sum, scaled once.

func.func @pool(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x1x1xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<-3 : tensor<i8>>
  %n = nn.dequantize %x, %s, %z : (tensor<2x3x4x5xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3x4x5xf32>
  %y = nn.average_pool %n {window = array<i64: 4, 5>, strides = array<i64: 4, 5>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x3x4x5xf32>) -> tensor<2x3x1x1xf32>
  func.return %y : tensor<2x3x1x1xf32>
}

func.func @mean(%x: tensor<2x8xui8>) -> tensor<2xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<100 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
  %y = nn.reduce %n {kind = #nn<reduction mean>, axes = array<i64: 1>} : (tensor<2x8xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK:      func.func @pool(%x: tensor<2x3x4x5xi8>) -> tensor<2x3x1x1xf32> {
// CHECK-NEXT:   %0 = nn.cast %x : (tensor<2x3x4x5xi8>) -> tensor<2x3x4x5xi32>
// CHECK-NEXT:   %1 = nn.reduce %0 {kind = #nn<reduction sum>, axes = array<i64: 2, 3>, keepdims = true} : (tensor<2x3x4x5xi32>) -> tensor<2x3x1x1xi32>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<-60 : tensor<i32>>
// CHECK-NEXT:   %3 = nn.sub %1, %2 : (tensor<2x3x1x1xi32>, tensor<i32>) -> tensor<2x3x1x1xi32>
// CHECK-NEXT:   %4 = nn.constant #nn.dense<0.025 : tensor<f32>>
// CHECK-NEXT:   %y = nn.dequantize %3, %4 : (tensor<2x3x1x1xi32>, tensor<f32>) -> tensor<2x3x1x1xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3x1x1xf32>
// CHECK-NEXT: }

// CHECK:      func.func @mean(%x: tensor<2x8xui8>) -> tensor<2xf32> {
// CHECK-NEXT:   %0 = nn.cast %x : (tensor<2x8xui8>) -> tensor<2x8xi32>
// CHECK-NEXT:   %1 = nn.reduce %0 {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<2x8xi32>) -> tensor<2xi32>
// CHECK-NEXT:   %2 = nn.constant #nn.dense<800 : tensor<i32>>
// CHECK-NEXT:   %3 = nn.sub %1, %2 : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
// CHECK-NEXT:   %4 = nn.constant #nn.dense<0.0625 : tensor<f32>>
// CHECK-NEXT:   %y = nn.dequantize %3, %4 : (tensor<2xi32>, tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT:   func.return %y : tensor<2xf32>
// CHECK-NEXT: }
