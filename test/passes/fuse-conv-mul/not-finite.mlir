// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-conv-mul | diff %t -

// A filter that would overflow in its type stays.

func.func @overflow(%x: tensor<1x1x4x4xf16>) -> tensor<1x1x4x4xf16> {
  %w = nn.constant #nn.dense<300.0 : tensor<1x1x1x1xf16>>
  %c = nn.constant #nn.dense<300.0 : tensor<f16>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf16>, tensor<1x1x1x1xf16>) -> tensor<1x1x4x4xf16>
  %s = nn.mul %y, %c : (tensor<1x1x4x4xf16>, tensor<f16>) -> tensor<1x1x4x4xf16>
  func.return %s : tensor<1x1x4x4xf16>
}
