// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Pads with elements of the operand.

func.func @f(%x: tensor<2x3xf32>) {
  %0 = nn.pad %x {pads = array<i64: 0, 7, 1, 0>, mode = #nn<pad_mode reflect>} : (tensor<2x3xf32>) -> tensor<3x10xf32>
  %1 = nn.pad %x {pads = array<i64: 0, 1, 1, 0>, mode = #nn<pad_mode edge>} : (tensor<2x3xf32>) -> tensor<3x4xf32>
  %2 = nn.pad %x {pads = array<i64: 0, 0, 9, 0>, mode = #nn<pad_mode wrap>} : (tensor<2x3xf32>) -> tensor<11x3xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<2x3xf32>) {
// CHECK-NEXT:   %0 = nn.pad %x {pads = array<i64: 0, 7, 1, 0>, mode = #nn<pad_mode reflect>} : (tensor<2x3xf32>) -> tensor<3x10xf32>
// CHECK-NEXT:   %1 = nn.pad %x {pads = array<i64: 0, 1, 1, 0>, mode = #nn<pad_mode edge>} : (tensor<2x3xf32>) -> tensor<3x4xf32>
// CHECK-NEXT:   %2 = nn.pad %x {pads = array<i64: 0, 0, 9, 0>, mode = #nn<pad_mode wrap>} : (tensor<2x3xf32>) -> tensor<11x3xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
