// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fold-codes | diff %t -

// What stays apart: integers of two readers, those that become narrower, and numbers of an op that is
// no fold.

func.func @two_folds(%x: tensor<2x8xui8>) -> (tensor<2xi32>, tensor<8xi32>) {
  %n = nn.cast %x : (tensor<2x8xui8>) -> tensor<2x8xi32>
  %y = nn.reduce %n {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<2x8xi32>) -> tensor<2xi32>
  %z = nn.reduce %n {kind = #nn<reduction sum>, axes = array<i64: 0>} : (tensor<2x8xi32>) -> tensor<8xi32>
  func.return %y, %z : tensor<2xi32>, tensor<8xi32>
}

func.func @narrower(%x: tensor<2x8xi32>) -> tensor<2xi8> {
  %n = nn.cast %x : (tensor<2x8xi32>) -> tensor<2x8xi8>
  %y = nn.reduce %n {kind = #nn<reduction max>, axes = array<i64: 1>} : (tensor<2x8xi8>) -> tensor<2xi8>
  func.return %y : tensor<2xi8>
}

func.func @pool(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.average_pool %n {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}
