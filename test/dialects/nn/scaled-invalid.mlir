// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What products with codes of blocks ask of element types and shapes.

func.func @f(%x: tensor<2x32xf16>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{expected f32, ui8, f32 and ui8, or i8 rows with scales f32, found f16, ui8, f32, ui8 [scaled_c1]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x32xf16>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xf32>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<i8>) {
  // expected-error@+1 {{expected f32, ui8, f32 and ui8, or i8 rows with scales f32, found f32, ui8, f32, i8 [scaled_c1]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x32xf32>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<i8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xf32>, %w: tensor<2x3x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{blocks of 16 codes in tensor<2x3x5xui8> [scaled_c2]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x32xf32>, tensor<2x3x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xf32>, %w: tensor<2x2x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{blocks of 16 codes in tensor<2x2x5xui8> [scaled_c2]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x32xf32>, tensor<2x2x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xf32>, %w: tensor<16x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{blocks of 16 codes in tensor<16x5xui8> [scaled_c2]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x32xf32>, tensor<16x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x31xf32>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{expected … x 32, found tensor<2x31xf32> [scaled_c3]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x31xf32>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<32xf32>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{expected … x 32, found tensor<32xf32> [scaled_c3]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<32xf32>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xf32>, %w: tensor<2x8x5xui8>, %s: tensor<2x1xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{tensor<2x1xf32> for blocks of tensor<2x8x5xui8> [scaled_c4]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x32xf32>, tensor<2x8x5xui8>, tensor<2x1xf32>, tensor<ui8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xf32>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<5xui8>) {
  // expected-error@+1 {{tensor<5xui8> for blocks of tensor<2x8x5xui8> [scaled_c4]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x32xf32>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<5xui8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xf32>, %w: tensor<2x2x8x4xui8>, %s: tensor<2x2x4xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{9 columns in tensor<2x2x8x4xui8> [scaled_c5]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64, columns = 9 : i64} : (tensor<2x32xf32>, tensor<2x2x8x4xui8>, tensor<2x2x4xf32>, tensor<ui8>) -> tensor<2x9xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xf32>, %w: tensor<2x2x8x4xui8>, %s: tensor<2x2x4xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{4 columns in tensor<2x2x8x4xui8> [scaled_c5]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64, columns = 4 : i64} : (tensor<2x32xf32>, tensor<2x2x8x4xui8>, tensor<2x2x4xf32>, tensor<ui8>) -> tensor<2x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xi8>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{expected f32, ui8, f32 and ui8, or i8 rows with scales f32, found i8, ui8, f32, ui8 [scaled_c1]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x32xi8>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xi8>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>, %t: tensor<2x5xf32>) {
  // expected-error@+1 {{tensor<2x5xf32> for blocks of tensor<2x8x5xui8> [scaled_c4]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z, %t {block = 16 : i64} : (tensor<2x32xi8>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>, tensor<2x5xf32>) -> tensor<2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<2x32xf32>, %w: tensor<2x2x2x1x4x4xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) {
  // expected-error@+1 {{blocks of 16 codes in tensor<2x2x2x1x4x4xui8> [scaled_c2]}}
  %0 = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<2x32xf32>, tensor<2x2x2x1x4x4xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<2x5xf32>
  func.return
}
