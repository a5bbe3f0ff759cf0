// RUN: autodeploy-opt %s --fuse-layer-norm | filecheck %s

// As exporters write it, over the last axis and over two; the square as a product, sums and products swapped.

func.func @last(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %eps = nn.constant #nn.dense<1.0e-05 : tensor<f32>>
  %m = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %d = nn.sub %x, %m : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %q = nn.pow %d, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %v = nn.reduce %q {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %e = nn.add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %s = nn.sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = nn.div %d, %s : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %p = nn.mul %n, %g : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %y = nn.add %p, %b : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  func.return %y : tensor<2x3x8xf32>
}

func.func @two_axes(%x: tensor<2x3x8xf32>, %g: tensor<3x8xf32>, %b: tensor<3x8xf32>) -> tensor<2x3x8xf32> {
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %eps = nn.constant #nn.dense<1.0e-05 : tensor<f32>>
  %m = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 1, 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x1x1xf32>
  %d = nn.sub %x, %m : (tensor<2x3x8xf32>, tensor<2x1x1xf32>) -> tensor<2x3x8xf32>
  %q = nn.pow %d, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %v = nn.reduce %q {kind = #nn<reduction mean>, axes = array<i64: 1, 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x1x1xf32>
  %e = nn.add %v, %eps : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  %s = nn.sqrt %e : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %n = nn.div %d, %s : (tensor<2x3x8xf32>, tensor<2x1x1xf32>) -> tensor<2x3x8xf32>
  %p = nn.mul %n, %g : (tensor<2x3x8xf32>, tensor<3x8xf32>) -> tensor<2x3x8xf32>
  %y = nn.add %p, %b : (tensor<2x3x8xf32>, tensor<3x8xf32>) -> tensor<2x3x8xf32>
  func.return %y : tensor<2x3x8xf32>
}

func.func @swapped(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %eps = nn.constant #nn.dense<1.0e-05 : tensor<f32>>
  %m = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %d = nn.sub %x, %m : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %q = nn.mul %d, %d : (tensor<2x3x8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %v = nn.reduce %q {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %e = nn.add %eps, %v : (tensor<f32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %s = nn.sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = nn.div %d, %s : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %p = nn.mul %g, %n : (tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %y = nn.add %b, %p : (tensor<8xf32>, tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  func.return %y : tensor<2x3x8xf32>
}

// CHECK:      func.func @last(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
// CHECK-NEXT:   %y = nn.layer_norm %x, %g, %b {axis = 2 : i64, epsilon = 9.9999997473787516e-06 : f64} : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3x8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @two_axes(%x: tensor<2x3x8xf32>, %g: tensor<3x8xf32>, %b: tensor<3x8xf32>) -> tensor<2x3x8xf32> {
// CHECK-NEXT:   %y = nn.layer_norm %x, %g, %b {axis = 1 : i64, epsilon = 9.9999997473787516e-06 : f64} : (tensor<2x3x8xf32>, tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3x8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @swapped(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
// CHECK-NEXT:   %two = nn.constant #nn.dense<2.0 : tensor<f32>>
// CHECK-NEXT:   %y = nn.layer_norm %x, %g, %b {axis = 2 : i64, epsilon = 9.9999997473787516e-06 : f64} : (tensor<2x3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3x8xf32>
// CHECK-NEXT: }
