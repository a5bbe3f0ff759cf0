// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --assign-layouts | diff %t -

// Without convolutions and pools, and where they are channels last already, nothing is done.

func.func @no_image(%x: tensor<1x2x4x5xf32>, %w: tensor<5x5xf32>) -> tensor<1x2x4x5xf32> {
  %m = nn.matmul %x, %w : (tensor<1x2x4x5xf32>, tensor<5x5xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.relu %m : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  func.return %y : tensor<1x2x4x5xf32>
}

func.func @done(%x: tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
  %y = nn.relu %p : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
  func.return %y : tensor<1x4x5x2xf32>
}
