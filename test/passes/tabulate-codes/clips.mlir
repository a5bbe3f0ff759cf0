// RUN: autodeploy-opt %s --tabulate-codes --dce | filecheck %s

// Between equal scales a Relu6 bounds codes: 0 is 128, and 6 is 128 + 6 / 0.05.

func.func @relu6(%q: tensor<2x3xui8>) -> tensor<2x3xui8> {
  %s = nn.constant #nn.dense<0.05 : tensor<f32>>
  %z = nn.constant #nn.dense<128 : tensor<ui8>>
  %x = nn.dequantize %q, %s, %z : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %c = nn.clip %x {min = 0.000000e+00 : f64, max = 6.000000e+00 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = nn.quantize %c, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  func.return %r : tensor<2x3xui8>
}

// CHECK:      func.func @relu6(%q: tensor<2x3xui8>) -> tensor<2x3xui8> {
// CHECK-NEXT:   %r = nn.clip %q {min = 1.280000e+02 : f64, max = 2.480000e+02 : f64} : (tensor<2x3xui8>) -> tensor<2x3xui8>
// CHECK-NEXT:   func.return %r : tensor<2x3xui8>

// A hard sigmoid of signed codes.

func.func @hard_sigmoid(%q: tensor<4xi8>) -> tensor<4xi8> {
  %s = nn.constant #nn.dense<0.125 : tensor<f32>>
  %z = nn.constant #nn.dense<0 : tensor<i8>>
  %x = nn.dequantize %q, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %h = nn.hard_sigmoid %x {alpha = 1.000000e+00 : f64, beta = 0.000000e+00 : f64} : (tensor<4xf32>) -> tensor<4xf32>
  %r = nn.quantize %h, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  func.return %r : tensor<4xi8>
}

// CHECK:      func.func @hard_sigmoid(%q: tensor<4xi8>) -> tensor<4xi8> {
// CHECK-NEXT:   %r = nn.clip %q {min = 0.000000e+00 : f64, max = 8.000000e+00 : f64} : (tensor<4xi8>) -> tensor<4xi8>
// CHECK-NEXT:   func.return %r : tensor<4xi8>

// The scales differ: 2 becomes 1.

func.func @halves(%q: tensor<4xi8>) -> tensor<4xi8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %t = nn.constant #nn.dense<1.0 : tensor<f32>>
  %z = nn.constant #nn.dense<0 : tensor<i8>>
  %x = nn.dequantize %q, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %c = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %r = nn.quantize %c, %t, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  func.return %r : tensor<4xi8>
}

// CHECK:      func.func @halves
// CHECK:        %r = nn.quantize %c, %t, %z

// The result has another type.

func.func @signs(%q: tensor<4xui8>) -> tensor<4xi8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<0 : tensor<ui8>>
  %i = nn.constant #nn.dense<0 : tensor<i8>>
  %x = nn.dequantize %q, %s, %z : (tensor<4xui8>, tensor<f32>, tensor<ui8>) -> tensor<4xf32>
  %r = nn.quantize %x, %s, %i : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  func.return %r : tensor<4xi8>
}

// CHECK:      func.func @signs
// CHECK:        %r = nn.quantize %x, %s, %i
