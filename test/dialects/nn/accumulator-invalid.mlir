// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What contractions ask of the element types of their sums, their result and their bias.

func.func @f(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) {
  // expected-error@+1 {{elements of f32 are not summed in f16 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = f16} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf16>, %w: tensor<3x4xf16>) {
  // expected-error@+1 {{elements of f16 are not summed in f16 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = f16} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf16>, %w: tensor<3x4xf16>) {
  // expected-error@+1 {{elements of f16 are not summed in i32 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = i32} : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %w: tensor<3x4xi8>) {
  // expected-error@+1 {{elements of i8 are not summed in f32 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = f32} : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %w: tensor<3x4xi8>) {
  // expected-error@+1 {{elements of i8 are not summed in ui32 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = ui32} : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xui32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi1>, %w: tensor<3x4xi1>) {
  // expected-error@+1 {{elements of i1 are not summed in i32 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = i32} : (tensor<2x3xi1>, tensor<3x4xi1>) -> tensor<2x4xi32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %w: tensor<3x4xi8>) {
  // expected-error@+1 {{elements of i8 are not summed in i4 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = i4} : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi8>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf16>, %w: tensor<3x4xf16>) {
  // expected-error@+1 {{expected a result of f16 or f32, found f64 [contraction_c2]}}
  %0 = nn.matmul %x, %w : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf64>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) {
  // expected-error@+1 {{expected a result of f32, found f16 [contraction_c2]}}
  %0 = nn.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf16>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %w: tensor<3x4xi8>) {
  // expected-error@+1 {{expected a result of i8 or i32, found i16 [contraction_c2]}}
  %0 = nn.matmul %x, %w {accumulator = i32} : (tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi16>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf16>, %w: tensor<3x4xf16>, %b: tensor<4xf16>) {
  // expected-error@+1 {{expected a bias of f32, found tensor<4xf16> [contraction_c3]}}
  %0 = nn.matmul %x, %w, %b : (tensor<2x3xf16>, tensor<3x4xf16>, tensor<4xf16>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xf32>, %w: tensor<3x4xi16>) {
  // expected-error@+1 {{elements of i16 are not summed in f32 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = f32} : (tensor<2x3xf32>, tensor<3x4xi16>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x3xi8>, %w: tensor<3x4xf32>) {
  // expected-error@+1 {{elements of i8 are not summed in f32 [contraction_c1]}}
  %0 = nn.matmul %x, %w {accumulator = f32} : (tensor<2x3xi8>, tensor<3x4xf32>) -> tensor<2x4xf32>
  func.return
}
