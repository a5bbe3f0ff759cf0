// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --use-integer-conv | diff %t -

// What stays a sum of floats.

func.func @bias_of_another_scale(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %b = nn.constant #nn.dense<[10, 20, 30] : tensor<3xi32>>
  %bs = nn.constant #nn.dense<[0.25, 0.125, 1.5] : tensor<3xf32>>
  %bd = nn.dequantize %b, %bs : (tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd, %bd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @bias_of_floats(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %bd = nn.constant #nn.dense<[0.3, 0.2, 0.1] : tensor<3xf32>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd, %bd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @codes_of_16_bits(%x: tensor<1x2x4x4xui16>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui16>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui16>, tensor<f32>, tensor<ui16>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @scale_of_zero(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.0 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @several_zero_points(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<[3, 4] : tensor<2x1x1xui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<2x1x1xui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @scales_of_inputs(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25] : tensor<2x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<2x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @sums_of_more_than_32_bits(%x: tensor<1x2x4x4xui8>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %b = nn.constant #nn.dense<[2147483600, 0, 0] : tensor<3xi32>>
  %bs = nn.constant #nn.dense<[0.25, 0.125, 1.0] : tensor<3xf32>>
  %bd = nn.dequantize %b, %bs : (tensor<3xi32>, tensor<3xf32>) -> tensor<3xf32>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd, %bd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @weights_not_constant(%x: tensor<1x2x4x4xui8>, %w: tensor<3x2x1x1xi8>) -> tensor<1x3x4x4xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x2x4x4xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x2x4x4xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x2x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x2x1x1xf32>
  %y = nn.conv %xd, %wd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

func.func @channels_last(%x: tensor<1x3x3x3xui8>) -> tensor<1x3x3x3xf32> {
  %xs = nn.constant #nn.dense<0.5 : tensor<f32>>
  %xz = nn.constant #nn.dense<3 : tensor<ui8>>
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6, 7, 8, 9] : tensor<3x3x1x1xi8>>
  %ws = nn.constant #nn.dense<[0.5, 0.25, 2.0] : tensor<3x1x1x1xf32>>
  %wz = nn.constant #nn.dense<0 : tensor<i8>>
  %xd = nn.dequantize %x, %xs, %xz : (tensor<1x3x3x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<1x3x3x3xf32>
  %wd = nn.dequantize %w, %ws, %wz : (tensor<3x3x1x1xi8>, tensor<3x1x1x1xf32>, tensor<i8>) -> tensor<3x3x1x1xf32>
  %y = nn.conv %xd, %wd {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x3x3x3xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x3x3xf32>
  func.return %y : tensor<1x3x3x3xf32>
}
