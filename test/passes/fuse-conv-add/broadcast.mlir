// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-conv-add | diff %t -

// A constant that is not one value a channel stays an addition.

func.func @along_the_width(%x: tensor<1x2x4x3xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x3xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x3xf32>
  %s = nn.add %y, %c : (tensor<1x3x4x3xf32>, tensor<3xf32>) -> tensor<1x3x4x3xf32>
  func.return %s : tensor<1x3x4x3xf32>
}

func.func @along_the_batch(%x: tensor<3x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<3x3x4x4xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3x1x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<3x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<3x3x4x4xf32>
  %s = nn.add %y, %c : (tensor<3x3x4x4xf32>, tensor<3x1x1x1xf32>) -> tensor<3x3x4x4xf32>
  func.return %s : tensor<3x3x4x4xf32>
}

func.func @channels_and_width(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %c = nn.constant #nn.dense<0.5 : tensor<3x1x4xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %y, %c : (tensor<1x3x4x4xf32>, tensor<3x1x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @wider_rank(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x1x3x4x4xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<1x1x3x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %y, %c : (tensor<1x3x4x4xf32>, tensor<1x1x3x1x1xf32>) -> tensor<1x1x3x4x4xf32>
  func.return %s : tensor<1x1x3x4x4xf32>
}

func.func @wider_channels(%x: tensor<1x2x4x4xf32>, %w: tensor<1x2x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x1x4x4xf32>
  %s = nn.add %y, %c : (tensor<1x1x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %s : tensor<1x3x4x4xf32>
}

func.func @rows_channels_last(%x: tensor<1x3x4x2xf32>, %w: tensor<3x2x1x1xf32>) -> tensor<1x3x4x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x3x4x2xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x3xf32>
  %s = nn.add %y, %c : (tensor<1x3x4x3xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x3xf32>
  func.return %s : tensor<1x3x4x3xf32>
}
