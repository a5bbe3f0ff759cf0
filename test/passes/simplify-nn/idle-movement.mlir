// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// CHECK-LABEL: @whole_slice
// CHECK-NEXT: func.return %x
func.func @whole_slice(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = nn.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 4, 1>, steps = array<i64: 1, -1>} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  func.return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: @reversed
// CHECK-NEXT: nn.slice
func.func @reversed(%x: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = nn.slice %x {starts = array<i64: 3, 0>, sizes = array<i64: 4, 1>, steps = array<i64: -1, 1>} : (tensor<4x1xf32>) -> tensor<4x1xf32>
  func.return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: @part
// CHECK-NEXT: nn.slice
func.func @part(%x: tensor<4x1xf32>) -> tensor<3x1xf32> {
  %0 = nn.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 3, 1>, steps = array<i64: 1, 1>} : (tensor<4x1xf32>) -> tensor<3x1xf32>
  func.return %0 : tensor<3x1xf32>
}

// CHECK-LABEL: @no_pads
// CHECK-NEXT: func.return %x
func.func @no_pads(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.pad %x {pads = array<i64: 0, 0, 0, 0>, value = 1.0 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @one_pad
// CHECK-NEXT: nn.pad
func.func @one_pad(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %0 = nn.pad %x {pads = array<i64: 0, 0, 0, 1>} : (tensor<2x3xf32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @one_operand
// CHECK-NEXT: func.return %x
func.func @one_operand(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.concat %x {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @two_operands
// CHECK-NEXT: nn.concat
func.func @two_operands(%x: tensor<2x3xf32>) -> tensor<2x6xf32> {
  %0 = nn.concat %x, %x {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  func.return %0 : tensor<2x6xf32>
}

// CHECK-LABEL: @same_cast
// CHECK-NEXT: func.return %x
func.func @same_cast(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = nn.cast %x : (tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: @sign_cast
// CHECK-NEXT: nn.cast
func.func @sign_cast(%x: tensor<2xi32>) -> tensor<2xui32> {
  %0 = nn.cast %x : (tensor<2xi32>) -> tensor<2xui32>
  func.return %0 : tensor<2xui32>
}
