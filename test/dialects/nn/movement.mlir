// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Movements: reshape, transpose, broadcast, concat, slice, pad.

func.func @f(%x: tensor<2x3x4xf32>, %y: tensor<2x1x4xf32>, %m: tensor<2x3xi1>, %s: tensor<f32>) {
  %0 = nn.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
  %1 = nn.reshape %s : (tensor<f32>) -> tensor<1x1xf32>
  %2 = nn.transpose %x {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %3 = nn.transpose %s {permutation = array<i64>} : (tensor<f32>) -> tensor<f32>
  %4 = nn.broadcast %y : (tensor<2x1x4xf32>) -> tensor<5x2x3x4xf32>
  %5 = nn.concat %x, %y, %x {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>, tensor<2x3x4xf32>) -> tensor<2x7x4xf32>
  %6 = nn.concat %m {axis = 0 : i64} : (tensor<2x3xi1>) -> tensor<2x3xi1>
  %7 = nn.slice %x {starts = array<i64: 1, 2, 0>, sizes = array<i64: 1, 3, 2>, steps = array<i64: 1, -1, 2>} : (tensor<2x3x4xf32>) -> tensor<1x3x2xf32>
  %8 = nn.slice %x {starts = array<i64: 9, 0, 0>, sizes = array<i64: 0, 3, 4>, steps = array<i64: 1, 1, 1>} : (tensor<2x3x4xf32>) -> tensor<0x3x4xf32>
  %9 = nn.pad %x {pads = array<i64: 0, 1, 0, 0, 1, 2>} : (tensor<2x3x4xf32>) -> tensor<2x5x6xf32>
  %10 = nn.pad %x {pads = array<i64: 0, 0, 1, 0, 0, 0>, value = -1.5 : f64} : (tensor<2x3x4xf32>) -> tensor<2x3x5xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<2x3x4xf32>, %y: tensor<2x1x4xf32>, %m: tensor<2x3xi1>, %s: tensor<f32>) {
// CHECK-NEXT:   %0 = nn.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT:   %1 = nn.reshape %s : (tensor<f32>) -> tensor<1x1xf32>
// CHECK-NEXT:   %2 = nn.transpose %x {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT:   %3 = nn.transpose %s {permutation = array<i64>} : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT:   %4 = nn.broadcast %y : (tensor<2x1x4xf32>) -> tensor<5x2x3x4xf32>
// CHECK-NEXT:   %5 = nn.concat %x, %y, %x {axis = 1 : i64} : (tensor<2x3x4xf32>, tensor<2x1x4xf32>, tensor<2x3x4xf32>) -> tensor<2x7x4xf32>
// CHECK-NEXT:   %6 = nn.concat %m {axis = 0 : i64} : (tensor<2x3xi1>) -> tensor<2x3xi1>
// CHECK-NEXT:   %7 = nn.slice %x {starts = array<i64: 1, 2, 0>, sizes = array<i64: 1, 3, 2>, steps = array<i64: 1, -1, 2>} : (tensor<2x3x4xf32>) -> tensor<1x3x2xf32>
// CHECK-NEXT:   %8 = nn.slice %x {starts = array<i64: 9, 0, 0>, sizes = array<i64: 0, 3, 4>, steps = array<i64: 1, 1, 1>} : (tensor<2x3x4xf32>) -> tensor<0x3x4xf32>
// CHECK-NEXT:   %9 = nn.pad %x {pads = array<i64: 0, 1, 0, 0, 1, 2>} : (tensor<2x3x4xf32>) -> tensor<2x5x6xf32>
// CHECK-NEXT:   %10 = nn.pad %x {pads = array<i64: 0, 0, 1, 0, 0, 0>, value = -1.500000e+00 : f64} : (tensor<2x3x4xf32>) -> tensor<2x3x5xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }

// Some axes have extents that only a run knows; a concat has their sum, and a broadcast repeats to them.

func.func @g(%x: tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>, %y: tensor<2x1x4xf32>) {
  %0 = nn.reshape %x : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<8x4xf32, #nn.extents<[2 * d0, 4], "n", 1 to 4>>
  %1 = nn.reshape %0, %x : (tensor<8x4xf32, #nn.extents<[2 * d0, 4], "n", 1 to 4>>, tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>
  %2 = nn.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<4x4x2xf32, #nn.extents<[d0, 4, 2], "n", 1 to 4>>
  %3 = nn.broadcast %y : (tensor<2x1x4xf32>) -> tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>
  %4 = nn.concat %y, %x {axis = 1 : i64} : (tensor<2x1x4xf32>, tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x5x4xf32, #nn.extents<[2, d0 + 1, 4], "n", 1 to 4>>
  %5 = nn.concat %x, %x {axis = 1 : i64, copied} : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>, tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x8x4xf32, #nn.extents<[2, 2 * d0, 4], "n", 1 to 4>>
  %6 = nn.slice %x {starts = #nn.extents<[0, d0 - 1, 0], "n", 1 to 4>, sizes = array<i64: 2, 1, 3>, steps = array<i64: 1, 1, 1>} : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x1x3xf32>
  %7 = nn.pad %x {pads = array<i64: 0, 1, 0, 0, 1, 2>} : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x6x6xf32, #nn.extents<[2, d0 + 2, 6], "n", 1 to 4>>
  func.return
}

// CHECK:      func.func @g(%x: tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>, %y: tensor<2x1x4xf32>) {
// CHECK-NEXT:   %0 = nn.reshape %x : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<8x4xf32, #nn.extents<[2 * d0, 4], "n", 1 to 4>>
// CHECK-NEXT:   %1 = nn.reshape %0, %x : (tensor<8x4xf32, #nn.extents<[2 * d0, 4], "n", 1 to 4>>, tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>
// CHECK-NEXT:   %2 = nn.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<4x4x2xf32, #nn.extents<[d0, 4, 2], "n", 1 to 4>>
// CHECK-NEXT:   %3 = nn.broadcast %y : (tensor<2x1x4xf32>) -> tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>
// CHECK-NEXT:   %4 = nn.concat %y, %x {axis = 1 : i64} : (tensor<2x1x4xf32>, tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x5x4xf32, #nn.extents<[2, d0 + 1, 4], "n", 1 to 4>>
// CHECK-NEXT:   %5 = nn.concat %x, %x {axis = 1 : i64, copied} : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>, tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x8x4xf32, #nn.extents<[2, 2 * d0, 4], "n", 1 to 4>>
// CHECK-NEXT:   %6 = nn.slice %x {starts = #nn.extents<[0, d0 - 1, 0], "n", 1 to 4>, sizes = array<i64: 2, 1, 3>, steps = array<i64: 1, 1, 1>} : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x1x3xf32>
// CHECK-NEXT:   %7 = nn.pad %x {pads = array<i64: 0, 1, 0, 0, 1, 2>} : (tensor<2x4x4xf32, #nn.extents<[2, d0, 4], "n", 1 to 4>>) -> tensor<2x6x6xf32, #nn.extents<[2, d0 + 2, 6], "n", 1 to 4>>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
