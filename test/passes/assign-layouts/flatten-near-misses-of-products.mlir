// RUN: autodeploy-opt %s --assign-layouts --simplify-nn | filecheck %s

// The flattened image is not the left-hand side as it lies, or something else as well, or not one row an
// image.

func.func @turned(%x: tensor<2x2x4x5xf32>) -> tensor<40x3xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<2x3xf32>>
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  %f = nn.reshape %p : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
  %a = nn.matmul %f, %w {transpose_lhs = true} : (tensor<2x40xf32>, tensor<2x3xf32>) -> tensor<40x3xf32>
  func.return %a : tensor<40x3xf32>
}

func.func @bias(%x: tensor<2x2x4x5xf32>) -> tensor<2x40xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<40x40xf32>>
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  %f = nn.reshape %p : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
  %a = nn.matmul %f, %w, %f : (tensor<2x40xf32>, tensor<40x40xf32>, tensor<2x40xf32>) -> tensor<2x40xf32>
  func.return %a : tensor<2x40xf32>
}

func.func @right_side(%x: tensor<2x2x4x5xf32>) -> tensor<3x40xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<3x2xf32>>
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  %f = nn.reshape %p : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
  %a = nn.matmul %w, %f : (tensor<3x2xf32>, tensor<2x40xf32>) -> tensor<3x40xf32>
  func.return %a : tensor<3x40xf32>
}

func.func @one_row(%x: tensor<2x2x4x5xf32>) -> tensor<1x3xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<80x3xf32>>
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
  %f = nn.reshape %p : (tensor<2x2x4x5xf32>) -> tensor<1x80xf32>
  %a = nn.matmul %f, %w : (tensor<1x80xf32>, tensor<80x3xf32>) -> tensor<1x3xf32>
  func.return %a : tensor<1x3xf32>
}

// CHECK:      func.func @turned(%x: tensor<2x2x4x5xf32>) -> tensor<40x3xf32> {
// CHECK:        %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x4x5x2xf32>
// CHECK:        %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x4x5x2xf32>) -> tensor<2x2x4x5xf32>
// CHECK:        %f = nn.reshape %p_1 : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
// CHECK:        %a = nn.matmul %f, %w {transpose_lhs = true} : (tensor<2x40xf32>, tensor<2x3xf32>) -> tensor<40x3xf32>
// CHECK:      func.func @bias(%x: tensor<2x2x4x5xf32>) -> tensor<2x40xf32> {
// CHECK:        %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x4x5x2xf32>
// CHECK:        %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x4x5x2xf32>) -> tensor<2x2x4x5xf32>
// CHECK:        %f = nn.reshape %p_1 : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
// CHECK:      func.func @right_side(%x: tensor<2x2x4x5xf32>) -> tensor<3x40xf32> {
// CHECK:        %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x4x5x2xf32>
// CHECK:        %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x4x5x2xf32>) -> tensor<2x2x4x5xf32>
// CHECK:        %f = nn.reshape %p_1 : (tensor<2x2x4x5xf32>) -> tensor<2x40xf32>
// CHECK:      func.func @one_row(%x: tensor<2x2x4x5xf32>) -> tensor<1x3xf32> {
// CHECK:        %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x2x4x5xf32>) -> tensor<2x4x5x2xf32>
// CHECK:        %p_1 = nn.transpose %p {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x4x5x2xf32>) -> tensor<2x2x4x5xf32>
// CHECK:        %f = nn.reshape %p_1 : (tensor<2x2x4x5xf32>) -> tensor<1x80xf32>
