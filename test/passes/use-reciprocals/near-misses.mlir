// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --use-reciprocals | diff %t -

// A seventh of a number is at times another code by each float next to 1/14. The sigmoid has other bits on other
// machines. A scale of 1 divides nothing. Scales of channels, other numbers, codes of 16 bits and three tensors of codes
// are not tried.

func.func @ties(%a: tensor<1x4xui8>, %b: tensor<1x4xi8>) -> tensor<1x4xui8> {
  %f = nn.constant #nn.dense<1.0 : tensor<f32>>
  %g = nn.constant #nn.dense<1.0 : tensor<f32>>
  %s = nn.constant #nn.dense<14.0 : tensor<f32>>
  %y = nn.constant #nn.dense<3 : tensor<ui8>>
  %z = nn.constant #nn.dense<-5 : tensor<i8>>
  %m = nn.dequantize %a, %f, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %n = nn.dequantize %b, %g, %z : (tensor<1x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4xf32>
  %t = nn.add %m, %n : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %q = nn.quantize %t, %s, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
  func.return %q : tensor<1x4xui8>
}

func.func @slow(%a: tensor<1x4xui8>, %b: tensor<1x4xi8>) -> tensor<1x4xui8> {
  %f = nn.constant #nn.dense<0.5 : tensor<f32>>
  %g = nn.constant #nn.dense<0.25 : tensor<f32>>
  %s = nn.constant #nn.dense<0.75 : tensor<f32>>
  %y = nn.constant #nn.dense<3 : tensor<ui8>>
  %z = nn.constant #nn.dense<-5 : tensor<i8>>
  %m = nn.dequantize %a, %f, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %n = nn.dequantize %b, %g, %z : (tensor<1x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4xf32>
  %t = nn.sigmoid %m : (tensor<1x4xf32>) -> tensor<1x4xf32>
  %q = nn.quantize %t, %s, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
  func.return %q : tensor<1x4xui8>
}

func.func @one(%a: tensor<1x4xui8>, %b: tensor<1x4xi8>) -> tensor<1x4xui8> {
  %f = nn.constant #nn.dense<0.5 : tensor<f32>>
  %g = nn.constant #nn.dense<0.25 : tensor<f32>>
  %s = nn.constant #nn.dense<1.0 : tensor<f32>>
  %y = nn.constant #nn.dense<3 : tensor<ui8>>
  %z = nn.constant #nn.dense<-5 : tensor<i8>>
  %m = nn.dequantize %a, %f, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %n = nn.dequantize %b, %g, %z : (tensor<1x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x4xf32>
  %t = nn.add %m, %n : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %q = nn.quantize %t, %s, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
  func.return %q : tensor<1x4xui8>
}

func.func @channels(%a: tensor<1x2xui8>) -> tensor<1x2xui8> {
  %f = nn.constant #nn.dense<0.5 : tensor<f32>>
  %s = nn.constant #nn.dense<[0.75, 0.5] : tensor<2xf32>>
  %y = nn.constant #nn.dense<3 : tensor<ui8>>
  %m = nn.dequantize %a, %f, %y : (tensor<1x2xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2xf32>
  %q = nn.quantize %m, %s, %y : (tensor<1x2xf32>, tensor<2xf32>, tensor<ui8>) -> tensor<1x2xui8>
  func.return %q : tensor<1x2xui8>
}

func.func @numbers(%a: tensor<1x4xf32>) -> tensor<1x4xui8> {
  %s = nn.constant #nn.dense<0.75 : tensor<f32>>
  %y = nn.constant #nn.dense<3 : tensor<ui8>>
  %q = nn.quantize %a, %s, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
  func.return %q : tensor<1x4xui8>
}

func.func @wide_codes(%a: tensor<1x4xui16>) -> tensor<1x4xui8> {
  %s = nn.constant #nn.dense<0.75 : tensor<f32>>
  %y = nn.constant #nn.dense<3 : tensor<ui8>>
  %z = nn.constant #nn.dense<3 : tensor<ui16>>
  %m = nn.dequantize %a, %s, %z : (tensor<1x4xui16>, tensor<f32>, tensor<ui16>) -> tensor<1x4xf32>
  %q = nn.quantize %m, %s, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
  func.return %q : tensor<1x4xui8>
}

func.func @three(%a: tensor<1x4xui8>, %b: tensor<1x4xui8>, %c: tensor<1x4xui8>) -> tensor<1x4xui8> {
  %s = nn.constant #nn.dense<0.75 : tensor<f32>>
  %y = nn.constant #nn.dense<3 : tensor<ui8>>
  %l = nn.dequantize %a, %s, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %m = nn.dequantize %b, %s, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %n = nn.dequantize %c, %s, %y : (tensor<1x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x4xf32>
  %t = nn.add %l, %m : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %u = nn.add %t, %n : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %q = nn.quantize %u, %s, %y : (tensor<1x4xf32>, tensor<f32>, tensor<ui8>) -> tensor<1x4xui8>
  func.return %q : tensor<1x4xui8>
}
