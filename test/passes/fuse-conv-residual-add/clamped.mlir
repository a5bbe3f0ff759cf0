// RUN: autodeploy-opt %s --fuse-conv-residual-add --fuse-anchor-epilogue --split-input-file | filecheck %s

// A relu or a clip behind the convolution changes nothing: the pool, which stands first, does not take
// the addition.

// CHECK-LABEL: func.func @relu
// CHECK-NEXT:    %p = nn.max_pool
// CHECK-NEXT:    %s = nn.kernel(%x, %w, %p)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      nn.conv
// CHECK-NEXT:      nn.relu
// CHECK-NEXT:      nn.add
// CHECK-NEXT:      nn.yield
func.func @relu(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %p = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %r = nn.relu %y : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %s = nn.add %p, %r : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %s : tensor<1x2x4x4xf32>
}

// -----

// CHECK-LABEL: func.func @clip
// CHECK-NEXT:    %p = nn.max_pool
// CHECK-NEXT:    %s = nn.kernel(%x, %w, %p)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      nn.conv
// CHECK-NEXT:      nn.clip
// CHECK-NEXT:      nn.add
// CHECK-NEXT:      nn.yield
func.func @clip(%x: tensor<1x2x4x4xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %p = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %r = nn.clip %y {min = 0.0 : f64, max = 6.0 : f64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %s = nn.add %p, %r : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %s : tensor<1x2x4x4xf32>
}
