// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-conv-batch-norm | diff %t -

// A division by a variance of zero, and a filter that overflows, stay at run time.

func.func @zero_variance(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1x1xf32>>
  %one = nn.constant #nn.dense<1.0 : tensor<3xf32>>
  %zero = nn.constant #nn.dense<0.0 : tensor<3xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %n = nn.batch_norm %y, %one, %zero, %zero, %zero {epsilon = 0.0 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %n : tensor<1x3x4x4xf32>
}

func.func @overflow(%x: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf16> {
  %w = nn.constant #nn.dense<300.0 : tensor<1x1x1x1xf16>>
  %one = nn.constant #nn.dense<1.0 : tensor<1xf16>>
  %scale = nn.constant #nn.dense<300.0 : tensor<1xf16>>
  %zero = nn.constant #nn.dense<0.0 : tensor<1xf16>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf16>, tensor<1x1x1x1xf16>) -> tensor<1x1x4x4xf16>
  %n = nn.batch_norm %y, %scale, %zero, %zero, %one {epsilon = 0.0 : f64} : (tensor<1x1x4x4xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x1x4x4xf16>
  func.return %n : tensor<1x1x4x4xf16>
}
