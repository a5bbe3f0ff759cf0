// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --average-codes | diff %t -

// Means of windows within an image and of padded images stay, and so do other reductions, means of
// codes of several scales, of a scale that is no positive number, of codes of more than 8 bits, of
// as many as a run says, and of too many for 32 bits.

func.func @window(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x2x2xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.average_pool %n {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}

func.func @pads(%x: tensor<1x2x4x4xui8>) -> tensor<1x2x1x1xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %y = nn.average_pool %n {window = array<i64: 4, 4>, strides = array<i64: 4, 4>, pads = array<i64: 1, 1, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x1x1xf32>
  func.return %y : tensor<1x2x1x1xf32>
}

func.func @largest(%x: tensor<2x8xui8>) -> tensor<2xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
  %y = nn.reduce %n {kind = #nn<reduction max>, axes = array<i64: 1>} : (tensor<2x8xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

func.func @several_scales(%x: tensor<2x8xui8>) -> tensor<2xf32> {
  %s = nn.constant #nn.dense<[0.5, 0.25] : tensor<2x1xf32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<2x8xui8>, tensor<2x1xf32>, tensor<ui8>) -> tensor<2x8xf32>
  %y = nn.reduce %n {kind = #nn<reduction mean>, axes = array<i64: 1>} : (tensor<2x8xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

func.func @negative_scale(%x: tensor<2x8xui8>) -> tensor<2xf32> {
  %s = nn.constant #nn.dense<-0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
  %y = nn.reduce %n {kind = #nn<reduction mean>, axes = array<i64: 1>} : (tensor<2x8xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

func.func @wide(%x: tensor<2x8xui16>) -> tensor<2xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui16>>
  %n = nn.dequantize %x, %s, %z : (tensor<2x8xui16>, tensor<f32>, tensor<ui16>) -> tensor<2x8xf32>
  %y = nn.reduce %n {kind = #nn<reduction mean>, axes = array<i64: 1>} : (tensor<2x8xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

func.func @many(%x: tensor<1x8421505xui8>) -> tensor<1xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x8421505xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x8421505xf32>
  %y = nn.reduce %n {kind = #nn<reduction mean>, axes = array<i64: 1>} : (tensor<1x8421505xf32>) -> tensor<1xf32>
  func.return %y : tensor<1xf32>
}

func.func @open(%x: tensor<1x8xui8, #nn.extents<[1, d0], "size", 1 to 8>>) -> tensor<1xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<1x8xui8, #nn.extents<[1, d0], "size", 1 to 8>>, tensor<f32>, tensor<ui8>) -> tensor<1x8xf32, #nn.extents<[1, d0], "size", 1 to 8>>
  %y = nn.reduce %n {kind = #nn<reduction mean>, axes = array<i64: 1>} : (tensor<1x8xf32, #nn.extents<[1, d0], "size", 1 to 8>>) -> tensor<1xf32>
  func.return %y : tensor<1xf32>
}
