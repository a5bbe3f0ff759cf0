// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What codes and sums of their products ask of element types, shapes and pads.

func.func @f(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error@+1 {{codes are integers of 8 or 16 bits, found i32 [codes_c1]}}
  %0 = nn.quantize %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i32>) -> tensor<2x3xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf16>, %s: tensor<f16>, %z: tensor<i8>) {
  // expected-error@+1 {{expected 32-bit floats, found tensor<2x3xf16> [codes_c2]}}
  %0 = nn.quantize %x, %s, %z : (tensor<2x3xf16>, tensor<f16>, tensor<i8>) -> tensor<2x3xi8>
  func.return
}

// -----

func.func @f(%x: tensor<3xf32>, %s: tensor<2x1xf32>, %z: tensor<i8>) {
  // expected-error@+1 {{tensor<2x1xf32> widens tensor<3xf32> [codes_c3]}}
  %0 = nn.quantize %x, %s, %z : (tensor<3xf32>, tensor<2x1xf32>, tensor<i8>) -> tensor<2x3xi8>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi64>, %s: tensor<f32>) {
  // expected-error@+1 {{codes are integers of 8 or 16 bits, or of 32 without a zero point, found tensor<2x3xi64> [codes_c1]}}
  %0 = nn.dequantize %x, %s : (tensor<2x3xi64>, tensor<f32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi32>, %s: tensor<f32>, %z: tensor<i32>) {
  // expected-error@+1 {{codes are integers of 8 or 16 bits, or of 32 without a zero point, found tensor<2x3xi32> [codes_c1]}}
  %0 = nn.dequantize %x, %s, %z : (tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %s: tensor<f32>, %z: tensor<ui8>) {
  // expected-error@+1 {{a zero point is a code, found tensor<ui8> [codes_c1]}}
  %0 = nn.dequantize %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<ui8>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %s: tensor<f64>) {
  // expected-error@+1 {{expected a scale of 32-bit floats, found tensor<f64> [codes_c2]}}
  %0 = nn.dequantize %x, %s : (tensor<2x3xi8>, tensor<f64>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<3xi8>, %s: tensor<2x1xf32>) {
  // expected-error@+1 {{tensor<2x1xf32> widens tensor<3xi8> [codes_c3]}}
  %0 = nn.dequantize %x, %s : (tensor<3xi8>, tensor<2x1xf32>) -> tensor<2x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xui8>, %w: tensor<3x4xi8>) {
  // expected-error-re@+1 {{operands must share one element type{{.*}} [op_c3]}}
  %0 = nn.matmul %x, %w : (tensor<2x3xui8>, tensor<3x4xi8>) -> tensor<2x4xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xui8>, %w: tensor<3x4xi8>) {
  // expected-error@+1 {{expected a result of i32, found ui8 [contraction_c2]}}
  %0 = nn.matmul %x, %w {accumulator = i32} : (tensor<2x3xui8>, tensor<3x4xi8>) -> tensor<2x4xui8>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xui8>, %w: tensor<3x4xi8>) {
  // expected-error@+1 {{elements of ui8 are not summed in f32 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = f32} : (tensor<2x3xui8>, tensor<3x4xi8>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x4x4xui8>, %w: tensor<3x2x1x1xi8>) {
  // expected-error@+1 {{256 is no integer of tensor<1x2x4x4xui8> [conv_c6]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, accumulator = i32, fill = 256 : i64} : (tensor<1x2x4x4xui8>, tensor<3x2x1x1xi8>) -> tensor<1x3x6x6xi32>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x1x1xf32>) {
  // expected-error@+1 {{1 is no integer of tensor<1x2x4x4xf32> [conv_c6]}}
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, fill = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x6x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x8xui8>, %y: tensor<1x2x4x3xi8>) {
  // expected-error@+1 {{#nn.tiled<[1, 0], 1 by 4, 0 by 4> has 4 neighbours, found [1, 2, 4, 3] [tiled_c4]}}
  %0 = nn.matmul %x, %y {rhs_layout = #nn.tiled<[1, 0], 1 by 4, 0 by 4>, accumulator = i32} : (tensor<2x8xui8>, tensor<1x2x4x3xi8>) -> tensor<2x4xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x8xui8>, %y: tensor<1x2x4x4xi8>) {
  // expected-error@+1 {{#nn.tiled<[1, 0], 1 by 4, 0 by 4 of 4> has room for 8 elements in [1, 2, 4, 4] [tiled_c5]}}
  %0 = nn.matmul %x, %y {rhs_layout = #nn.tiled<[1, 0], 1 by 4, 0 by 4 of 4>, accumulator = i32} : (tensor<2x8xui8>, tensor<1x2x4x4xi8>) -> tensor<2x4xi32>
  func.return
}

// -----

// expected-error@+1 {{expected neighbours along another axis, found #nn.tiled<[1, 0], 1 by 4, 1 by 4> [tiled_c7]}}
func.func @f() attributes {a = #nn.tiled<[1, 0], 1 by 4, 1 by 4>} {
  func.return
}
