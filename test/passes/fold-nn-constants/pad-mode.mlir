// RUN: autodeploy-opt %s --fold-nn-constants | filecheck %s

// Pads of constants with their own elements.

func.func @f() -> (tensor<7xf32>, tensor<5xf32>, tensor<8xf32>) {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %r = nn.pad %c {pads = array<i64: 1, 3>, mode = #nn<pad_mode reflect>} : (tensor<3xf32>) -> tensor<7xf32>
  %e = nn.pad %c {pads = array<i64: 1, 1>, mode = #nn<pad_mode edge>} : (tensor<3xf32>) -> tensor<5xf32>
  %w = nn.pad %c {pads = array<i64: 4, 1>, mode = #nn<pad_mode wrap>} : (tensor<3xf32>) -> tensor<8xf32>
  func.return %r, %e, %w : tensor<7xf32>, tensor<5xf32>, tensor<8xf32>
}

// CHECK:      func.func @f() -> (tensor<7xf32>, tensor<5xf32>, tensor<8xf32>) {
// CHECK-NEXT:   %r = nn.constant #nn.dense<[2.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0] : tensor<7xf32>>
// CHECK-NEXT:   %e = nn.constant #nn.dense<[1.0, 1.0, 2.0, 3.0, 3.0] : tensor<5xf32>>
// CHECK-NEXT:   %w = nn.constant #nn.dense<[3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0] : tensor<8xf32>>
// CHECK-NEXT:   func.return %r, %e, %w : tensor<7xf32>, tensor<5xf32>, tensor<8xf32>
// CHECK-NEXT: }
