// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --move-dequantize | diff %t -

// What stays with numbers: a mean, a scale below 0, scales of channels, sums of 32 bits.

func.func @mean(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.average_pool %n {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}

func.func @negative_scale(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xf32> {
  %s = nn.constant #nn.dense<-0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.max_pool %n {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}

func.func @scales_of_channels(%x: tensor<1x2x4x4xui8>) -> tensor<32xf32> {
  %s = nn.constant #nn.dense<[0.5, 0.25] : tensor<2x1x1xf32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<2x1x1xf32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.reshape %n : (tensor<1x2x4x4xf32>) -> tensor<32xf32>
  func.return %y : tensor<32xf32>
}

func.func @sums(%x: tensor<1x2x4x4xi32>) -> tensor<32xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %n = nn.dequantize %x, %s : (tensor<1x2x4x4xi32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %y = nn.reshape %n : (tensor<1x2x4x4xf32>) -> tensor<32xf32>
  func.return %y : tensor<32xf32>
}
