// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Sums may be wider than what is multiplied, and the result has either type; what is the default is not
// printed.

func.func @f(%x: tensor<2x3xf16>, %w: tensor<3x4xf16>, %b: tensor<4xf32>, %i: tensor<2x3xui8>, %j: tensor<3x4xui8>, %m: tensor<1x2x4x4xf32>, %k: tensor<3x2x1x1xf32>) {
  %0 = nn.matmul %x, %w, %b : (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xf32>) -> tensor<2x4xf32>
  %1 = nn.matmul %x, %w {accumulator = f64} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
  %2 = nn.matmul %i, %j {accumulator = i32} : (tensor<2x3xui8>, tensor<3x4xui8>) -> tensor<2x4xi32>
  %3 = nn.conv %m, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, accumulator = f64} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf64>
  %4 = nn.conv_transpose %m, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, accumulator = f64} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  func.return
}

// CHECK:      %0 = nn.matmul %x, %w, %b : (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %1 = nn.matmul %x, %w {accumulator = f64} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
// CHECK-NEXT: %2 = nn.matmul %i, %j {accumulator = i32} : (tensor<2x3xui8>, tensor<3x4xui8>) -> tensor<2x4xi32>
// CHECK-NEXT: %3 = nn.conv %m, %k {{.*}}accumulator = f64} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf64>
// CHECK-NEXT: %4 = nn.conv_transpose %m, %k {{.*}}accumulator = f64} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
