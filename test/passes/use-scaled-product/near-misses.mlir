// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --use-scaled-product | diff %t -

// What stays a product of floats. A bias is added by an op of its own in decoders.

func.func @codes_of_a_run(%x: tensor<1x32xf32>, %w: tensor<3x2x16xui8>) -> tensor<1x3xf32> {
  %s = nn.constant #nn.dense<1.5 : tensor<3x2x1xf32>>
  %z = nn.constant #nn.dense<1 : tensor<3x2x1xui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<3x2x16xui8>, tensor<3x2x1xf32>, tensor<3x2x1xui8>) -> tensor<3x2x16xf32>
  %f = nn.reshape %n : (tensor<3x2x16xf32>) -> tensor<3x32xf32>
  %t = nn.transpose %f {permutation = array<i64: 1, 0>} : (tensor<3x32xf32>) -> tensor<32x3xf32>
  %y = nn.matmul %x, %t : (tensor<1x32xf32>, tensor<32x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

func.func @scales_that_are_infinite(%x: tensor<1x32xf32>) -> tensor<1x3xf32> {
  %w = nn.constant #nn.dense<7 : tensor<3x2x16xui8>>
  %s = nn.constant #nn.dense<"0x0000807f0000807f0000807f0000807f0000807f0000807f" : tensor<3x2x1xf32>>
  %z = nn.constant #nn.dense<1 : tensor<3x2x1xui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<3x2x16xui8>, tensor<3x2x1xf32>, tensor<3x2x1xui8>) -> tensor<3x2x16xf32>
  %f = nn.reshape %n : (tensor<3x2x16xf32>) -> tensor<3x32xf32>
  %t = nn.transpose %f {permutation = array<i64: 1, 0>} : (tensor<3x32xf32>) -> tensor<32x3xf32>
  %y = nn.matmul %x, %t : (tensor<1x32xf32>, tensor<32x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

func.func @codes_of_16_bits(%x: tensor<1x32xf32>) -> tensor<1x3xf32> {
  %w = nn.constant #nn.dense<7 : tensor<3x2x16xui16>>
  %s = nn.constant #nn.dense<1.5 : tensor<3x2x1xf32>>
  %z = nn.constant #nn.dense<1 : tensor<3x2x1xui16>>
  %n = nn.dequantize %w, %s, %z : (tensor<3x2x16xui16>, tensor<3x2x1xf32>, tensor<3x2x1xui16>) -> tensor<3x2x16xf32>
  %f = nn.reshape %n : (tensor<3x2x16xf32>) -> tensor<3x32xf32>
  %t = nn.transpose %f {permutation = array<i64: 1, 0>} : (tensor<3x32xf32>) -> tensor<32x3xf32>
  %y = nn.matmul %x, %t : (tensor<1x32xf32>, tensor<32x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

func.func @short_blocks(%x: tensor<1x8xf32>) -> tensor<1x3xf32> {
  %w = nn.constant #nn.dense<7 : tensor<3x2x4xui8>>
  %s = nn.constant #nn.dense<1.5 : tensor<3x2x1xf32>>
  %z = nn.constant #nn.dense<1 : tensor<3x2x1xui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<3x2x4xui8>, tensor<3x2x1xf32>, tensor<3x2x1xui8>) -> tensor<3x2x4xf32>
  %f = nn.reshape %n : (tensor<3x2x4xf32>) -> tensor<3x8xf32>
  %t = nn.transpose %f {permutation = array<i64: 1, 0>} : (tensor<3x8xf32>) -> tensor<8x3xf32>
  %y = nn.matmul %x, %t : (tensor<1x8xf32>, tensor<8x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

func.func @scales_of_columns(%x: tensor<1x32xf32>) -> tensor<1x3xf32> {
  %w = nn.constant #nn.dense<7 : tensor<3x2x16xui8>>
  %s = nn.constant #nn.dense<1.5 : tensor<3x1x1xf32>>
  %z = nn.constant #nn.dense<1 : tensor<3x1x1xui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<3x2x16xui8>, tensor<3x1x1xf32>, tensor<3x1x1xui8>) -> tensor<3x2x16xf32>
  %f = nn.reshape %n : (tensor<3x2x16xf32>) -> tensor<3x32xf32>
  %t = nn.transpose %f {permutation = array<i64: 1, 0>} : (tensor<3x32xf32>) -> tensor<32x3xf32>
  %y = nn.matmul %x, %t : (tensor<1x32xf32>, tensor<32x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

func.func @blocks_along_the_other_axis(%x: tensor<1x32xf32>) -> tensor<1x32xf32> {
  %w = nn.constant #nn.dense<7 : tensor<2x16x32xui8>>
  %s = nn.constant #nn.dense<1.5 : tensor<2x1x32xf32>>
  %z = nn.constant #nn.dense<1 : tensor<2x1x32xui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<2x16x32xui8>, tensor<2x1x32xf32>, tensor<2x1x32xui8>) -> tensor<2x16x32xf32>
  %f = nn.reshape %n : (tensor<2x16x32xf32>) -> tensor<32x32xf32>
  %t = nn.transpose %f {permutation = array<i64: 1, 0>} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %y = nn.matmul %x, %t : (tensor<1x32xf32>, tensor<32x32xf32>) -> tensor<1x32xf32>
  func.return %y : tensor<1x32xf32>
}

func.func @another_part(%x: tensor<1x30xf32>) -> tensor<1x3xf32> {
  %w = nn.constant #nn.dense<7 : tensor<3x2x16xui8>>
  %s = nn.constant #nn.dense<1.5 : tensor<3x2x1xf32>>
  %z = nn.constant #nn.dense<1 : tensor<3x2x1xui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<3x2x16xui8>, tensor<3x2x1xf32>, tensor<3x2x1xui8>) -> tensor<3x2x16xf32>
  %f = nn.reshape %n : (tensor<3x2x16xf32>) -> tensor<3x32xf32>
  %c = nn.slice %f {starts = array<i64: 0, 2>, sizes = array<i64: 3, 30>, steps = array<i64: 1, 1>} : (tensor<3x32xf32>) -> tensor<3x30xf32>
  %t = nn.transpose %c {permutation = array<i64: 1, 0>} : (tensor<3x30xf32>) -> tensor<30x3xf32>
  %y = nn.matmul %x, %t : (tensor<1x30xf32>, tensor<30x3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}

func.func @bias(%x: tensor<1x32xf32>, %b: tensor<3xf32>) -> tensor<1x3xf32> {
  %w = nn.constant #nn.dense<7 : tensor<3x2x16xui8>>
  %s = nn.constant #nn.dense<1.5 : tensor<3x2x1xf32>>
  %z = nn.constant #nn.dense<1 : tensor<3x2x1xui8>>
  %n = nn.dequantize %w, %s, %z : (tensor<3x2x16xui8>, tensor<3x2x1xf32>, tensor<3x2x1xui8>) -> tensor<3x2x16xf32>
  %f = nn.reshape %n : (tensor<3x2x16xf32>) -> tensor<3x32xf32>
  %t = nn.transpose %f {permutation = array<i64: 1, 0>} : (tensor<3x32xf32>) -> tensor<32x3xf32>
  %y = nn.matmul %x, %t, %b : (tensor<1x32xf32>, tensor<32x3xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  func.return %y : tensor<1x3xf32>
}
