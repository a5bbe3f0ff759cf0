// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --remove-reshape | diff %t -

// A reshape of anything else stays, as does another movement of a constant.

func.func @argument(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  %r = nn.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}

func.func @computed(%x: tensor<8xf32>) -> tensor<2x4xf32> {
  %y = nn.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %r = nn.reshape %y : (tensor<8xf32>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

func.func @transpose() -> tensor<2x2xi64> {
  %c = nn.constant #nn.dense<[1, 2, 3, 4] : tensor<2x2xi64>>
  %r = nn.transpose %c {permutation = array<i64: 1, 0>} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  func.return %r : tensor<2x2xi64>
}
