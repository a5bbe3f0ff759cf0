// RUN: autodeploy-opt %s --tabulate-codes --dce | filecheck %s

// x * sigmoid(x), with codes between the two, is one table of the codes of x.

func.func @swish(%q: tensor<2x3xui8>) -> tensor<2x3xui8> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<128 : tensor<ui8>>
  %t = nn.constant #nn.dense<0.00390625 : tensor<f32>>
  %o = nn.constant #nn.dense<0 : tensor<ui8>>
  %x = nn.dequantize %q, %s, %z : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %g = nn.sigmoid %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = nn.quantize %g, %t, %o : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  %h = nn.dequantize %c, %t, %o : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  %p = nn.mul %x, %h : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = nn.quantize %p, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  func.return %r : tensor<2x3xui8>
}

// CHECK:      func.func @swish(%q: tensor<2x3xui8>) -> tensor<2x3xui8> {
// CHECK-NEXT:   %0 = nn.constant {{.*}} : tensor<256xui8>>
// CHECK-NEXT:   %r = nn.gather %0, %q {axis = 0 : i64} : (tensor<256xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
// CHECK-NEXT:   func.return %r : tensor<2x3xui8>
// CHECK-NEXT: }

// Numbers that something else reads are computed from codes that are looked up.

func.func @tanh_then_relu(%q: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xf32>) {
  %s = nn.constant #nn.dense<0.25 : tensor<f32>>
  %z = nn.constant #nn.dense<0 : tensor<i8>>
  %x = nn.dequantize %q, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %g = nn.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  %c = nn.quantize %g, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  %h = nn.dequantize %c, %s, %z : (tensor<4xi8>, tensor<f32>, tensor<i8>) -> tensor<4xf32>
  %p = nn.relu %h : (tensor<4xf32>) -> tensor<4xf32>
  %r = nn.quantize %p, %s, %z : (tensor<4xf32>, tensor<f32>, tensor<i8>) -> tensor<4xi8>
  func.return %r, %p : tensor<4xi8>, tensor<4xf32>
}

// CHECK:      func.func @tanh_then_relu
// CHECK:        %c = nn.gather {{%.*}}, %q {axis = 0 : i64} : (tensor<256xi8>, tensor<4xi8>) -> tensor<4xi8>
// CHECK-NEXT:   %h = nn.dequantize %c, %s, %z
// CHECK-NEXT:   %p = nn.relu %h
// CHECK:        %r = nn.gather {{%.*}}, %q {axis = 0 : i64} : (tensor<256xi8>, tensor<4xi8>) -> tensor<4xi8>
// CHECK-NEXT:   func.return %r, %p
