// RUN: autodeploy-opt %s --assign-layouts --simplify-nn | filecheck %s

// The image is transposed back before it is flattened where not all users are products with constants.

func.func @another_user(%x: tensor<2x2x4x5xf32>) -> (tensor<2x3xf32>, tensor<2x40xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<40x3xf32>>
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  %f = nn.reshape %p : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
  %a = nn.matmul %f, %w : (tensor<2x40xf32>, tensor<40x3xf32>) -> tensor<2x3xf32>
  %b = nn.relu %f : (tensor<2x40xf32>) -> tensor<2x40xf32>
  func.return %a, %b : tensor<2x3xf32>, tensor<2x40xf32>
}

func.func @returned(%x: tensor<2x2x4x5xf32>) -> (tensor<2x3xf32>, tensor<2x40xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<40x3xf32>>
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  %f = nn.reshape %p : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
  %a = nn.matmul %f, %w : (tensor<2x40xf32>, tensor<40x3xf32>) -> tensor<2x3xf32>
  func.return %a, %f : tensor<2x3xf32>, tensor<2x40xf32>
}

func.func @not_constant(%x: tensor<2x2x4x5xf32>, %w: tensor<40x3xf32>) -> tensor<2x3xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  %f = nn.reshape %p : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
  %a = nn.matmul %f, %w : (tensor<2x40xf32>, tensor<40x3xf32>) -> tensor<2x3xf32>
  func.return %a : tensor<2x3xf32>
}

// CHECK:      func.func @another_user(%x: tensor<2x2x4x5xf32>) -> (tensor<2x3xf32>, tensor<2x40xf32>) {
// CHECK:        %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x4x5x2xf32>
// CHECK:        %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x4x5x2xf32>) -> tensor<2x2x4x5xf32>
// CHECK:        %f = nn.reshape %p_1 : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
// CHECK:      func.func @returned(%x: tensor<2x2x4x5xf32>) -> (tensor<2x3xf32>, tensor<2x40xf32>) {
// CHECK:        %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x4x5x2xf32>
// CHECK:        %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x4x5x2xf32>) -> tensor<2x2x4x5xf32>
// CHECK:        %f = nn.reshape %p_1 : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
// CHECK:      func.func @not_constant(%x: tensor<2x2x4x5xf32>, %w: tensor<40x3xf32>) -> tensor<2x3xf32> {
// CHECK:        %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x4x5x2xf32>
// CHECK:        %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x4x5x2xf32>) -> tensor<2x2x4x5xf32>
// CHECK:        %f = nn.reshape %p_1 : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
