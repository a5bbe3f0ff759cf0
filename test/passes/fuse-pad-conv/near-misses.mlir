// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-pad-conv | diff %t -

// What must stay as it is.

func.func @other_value(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>, value = 1.0 : f64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x6x6xf32>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @channels(%x: tensor<1x2x4x4xf32>, %w: tensor<3x3x3x3xf32>) -> tensor<1x3x2x2xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 1, 0, 0, 0, 0, 0, 0>} : (tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<3x3x3x3xf32>) -> tensor<1x3x2x2xf32>
  func.return %y : tensor<1x3x2x2xf32>
}

func.func @batch(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<2x3x2x2xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 0, 0, 1, 0, 0, 0>} : (tensor<1x2x4x4xf32>) -> tensor<2x2x4x4xf32>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<2x3x2x2xf32>
  func.return %y : tensor<2x3x2x2xf32>
}

func.func @channels_in_the_last_axis(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x3xf32>) -> tensor<1x2x2x3xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 0, 0, 0, 0, 0, 1>} : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x3xf32>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x4x3xf32>, tensor<3x3x3x3xf32>) -> tensor<1x2x2x3xf32>
  func.return %y : tensor<1x2x2x3xf32>
}

func.func @two_users(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x2x6x6xf32>) {
  %q = nn.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x6x6xf32>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  %z = nn.relu %q : (tensor<1x2x6x6xf32>) -> tensor<1x2x6x6xf32>
  func.return %y, %z : tensor<1x3x4x4xf32>, tensor<1x2x6x6xf32>
}

func.func @graph_output(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> (tensor<1x3x4x4xf32>, tensor<1x2x6x6xf32>) {
  %q = nn.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x6x6xf32>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  func.return %y, %q : tensor<1x3x4x4xf32>, tensor<1x2x6x6xf32>
}

func.func @filter(%x: tensor<1x2x6x6xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x2x2xf32> {
  %q = nn.pad %w {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<3x2x3x3xf32>) -> tensor<3x2x5x5xf32>
  %y = nn.conv %x, %q {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x6x6xf32>, tensor<3x2x5x5xf32>) -> tensor<1x3x2x2xf32>
  func.return %y : tensor<1x3x2x2xf32>
}

func.func @max_pool(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x6x6xf32>
  %y = nn.max_pool %q {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x6x6xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

func.func @reflect(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>, mode = #nn<pad_mode reflect>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x6x6xf32>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @by_rest(%x: tensor<1x2x3x3xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x3x3xf32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x2x3x3xf32>) -> tensor<1x2x5x5xf32>
  %y = nn.conv %q, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, pads_by_remainder = [array<i64: 0, 1>, array<i64>]} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x3x3xf32>
  func.return %y : tensor<1x3x3x3xf32>
}

func.func @pads_of_a_code(%x: tensor<1x2x4x4xui8>, %w: tensor<3x2x3x3xi8>) -> tensor<1x3x6x6xi32> {
  %q = nn.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x2x4x4xui8>) -> tensor<1x2x6x6xui8>
  %y = nn.conv %q, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, accumulator = i32, fill = 128 : i64} : (tensor<1x2x6x6xui8>, tensor<3x2x3x3xi8>) -> tensor<1x3x6x6xi32>
  func.return %y : tensor<1x3x6x6xi32>
}
