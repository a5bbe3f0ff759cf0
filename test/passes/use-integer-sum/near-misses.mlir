// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --use-integer-sum | diff %t -

// Products of wider integers, and a convolution whose zero point only a run knows, stay.

func.func @wide_codes(%x: tensor<4x3xui16>) -> tensor<4x2xi32> {
  %z = nn.constant #nn.dense<3 : tensor<i32>>
  %w = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
  %wz = nn.constant #nn.dense<0 : tensor<i32>>
  %a = nn.cast %x : (tensor<4x3xui16>) -> tensor<4x3xi32>
  %d = nn.sub %a, %z : (tensor<4x3xi32>, tensor<i32>) -> tensor<4x3xi32>
  %b = nn.cast %w : (tensor<3x2xi8>) -> tensor<3x2xi32>
  %e = nn.sub %b, %wz : (tensor<3x2xi32>, tensor<i32>) -> tensor<3x2xi32>
  %y = nn.matmul %d, %e : (tensor<4x3xi32>, tensor<3x2xi32>) -> tensor<4x2xi32>
  func.return %y : tensor<4x2xi32>
}

func.func @zero_of_run(%x: tensor<1x2x4x4xui8>, %z: tensor<i32>) -> tensor<1x3x6x6xi32> {
  %w = nn.constant #nn.dense<[1, -2, 3, 4, -5, 6] : tensor<3x2x1x1xi8>>
  %wz = nn.constant #nn.dense<0 : tensor<i32>>
  %bias = nn.constant #nn.dense<[10, 20, 30] : tensor<3xi32>>
  %a = nn.cast %x : (tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xi32>
  %d = nn.sub %a, %z : (tensor<1x2x4x4xi32>, tensor<i32>) -> tensor<1x2x4x4xi32>
  %b = nn.cast %w : (tensor<3x2x1x1xi8>) -> tensor<3x2x1x1xi32>
  %e = nn.sub %b, %wz : (tensor<3x2x1x1xi32>, tensor<i32>) -> tensor<3x2x1x1xi32>
  %y = nn.conv %d, %e, %bias {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xi32>, tensor<3x2x1x1xi32>, tensor<3xi32>) -> tensor<1x3x6x6xi32>
  func.return %y : tensor<1x3x6x6xi32>
}

func.func @distances_of_floats(%x: tensor<4x3xui8>) -> tensor<4x2xf32> {
  %z = nn.constant #nn.dense<3.5 : tensor<f32>>
  %w = nn.constant #nn.dense<[1, 2, 3, 4, 5, 6] : tensor<3x2xi8>>
  %wz = nn.constant #nn.dense<0.0 : tensor<f32>>
  %a = nn.cast %x : (tensor<4x3xui8>) -> tensor<4x3xf32>
  %d = nn.sub %a, %z : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  %b = nn.cast %w : (tensor<3x2xi8>) -> tensor<3x2xf32>
  %e = nn.sub %b, %wz : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %y = nn.matmul %d, %e : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
