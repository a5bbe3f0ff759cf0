// RUN: autodeploy-opt %s --split-input-file --hoist-slices | filecheck %s

// A product that is read elsewhere, too.

// CHECK:      %p = nn.matmul %x, %w : (tensor<8x4xf32>
// CHECK-NEXT: %s = nn.slice %p
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> (tensor<1x6xf32>, tensor<8x6xf32>) {
  %p = nn.matmul %x, %w : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %s = nn.slice %p {starts = array<i64: 7, 0>, sizes = array<i64: 1, 6>, steps = array<i64: 1, 1>} : (tensor<8x6xf32>) -> tensor<1x6xf32>
  func.return %s, %p : tensor<1x6xf32>, tensor<8x6xf32>
}

// -----

// Half of the rows and more, and a slice of two axes.

// CHECK:      %p = nn.matmul %x, %w : (tensor<8x4xf32>
// CHECK:      %q = nn.matmul %x, %w : (tensor<8x4xf32>
func.func @main(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<1x1xf32>) {
  %p = nn.matmul %x, %w : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %s = nn.slice %p {starts = array<i64: 4, 0>, sizes = array<i64: 4, 6>, steps = array<i64: 1, 1>} : (tensor<8x6xf32>) -> tensor<4x6xf32>
  %q = nn.matmul %x, %w : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %t = nn.slice %q {starts = array<i64: 0, 0>, sizes = array<i64: 1, 1>, steps = array<i64: 1, 1>} : (tensor<8x6xf32>) -> tensor<1x1xf32>
  func.return %s, %t : tensor<4x6xf32>, tensor<1x1xf32>
}

// -----

// Columns of constant weights, softmax along the axis, and activations without a product above them.

// CHECK:      %p = nn.matmul %x, %{{.*}} -> tensor<8x6xf32>
// CHECK:      %m = nn.softmax %q {axis = 0 : i64} : (tensor<8x6xf32>)
// CHECK:      %r = nn.relu %x : (tensor<8x4xf32>)
func.func @main(%x: tensor<8x4xf32>, %v: tensor<4x6xf32>) -> (tensor<8x1xf32>, tensor<1x6xf32>, tensor<1x4xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<4x6xf32>>
  %p = nn.matmul %x, %w : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %s = nn.slice %p {starts = array<i64: 0, 1>, sizes = array<i64: 8, 1>, steps = array<i64: 1, 1>} : (tensor<8x6xf32>) -> tensor<8x1xf32>
  %q = nn.matmul %x, %v : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %m = nn.softmax %q {axis = 0} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %t = nn.slice %m {starts = array<i64: 7, 0>, sizes = array<i64: 1, 6>, steps = array<i64: 1, 1>} : (tensor<8x6xf32>) -> tensor<1x6xf32>
  %r = nn.relu %x : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %u = nn.slice %r {starts = array<i64: 7, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<8x4xf32>) -> tensor<1x4xf32>
  func.return %s, %t, %u : tensor<8x1xf32>, tensor<1x6xf32>, tensor<1x4xf32>
}
