// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --absorb-dequantize | diff %t -

// What stays apart: numbers of two readers, of an op that is not pointwise, of a wider result.

func.func @two_readers(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %a = nn.abs %n : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %r = nn.max %a, %n : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %r : tensor<1x2x4x4xf32>
}

func.func @pool(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.average_pool %n {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}

func.func @wider(%x: tensor<2x1x1xui8>, %y: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<2x1x1xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x1x1xf32>
  %r = nn.add %n, %y : (tensor<2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  func.return %r : tensor<1x2x4x4xf32>
}
