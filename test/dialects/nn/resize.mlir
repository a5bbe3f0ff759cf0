// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Resizes: interpolation, lines of places, rounding, what is outside.

func.func @f(%x: tensor<1x2x4x4xf32>, %q: tensor<1x3xui8>) {
  %0 = nn.resize %q {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, -1>, denominators = array<i64: 1, 2>} : (tensor<1x3xui8>) -> tensor<1x6xui8>
  %1 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1, 1>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 1, 2, 3>, rounding = #nn<rounding floor>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x8x12xf32>
  %2 = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 1, 3, 2>, offsets = array<i64: 0, 0, 0, -1>, denominators = array<i64: 1, 1, 7, 4>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x8x8xf32>
  %3 = nn.resize %x {interpolation = #nn<interpolation cubic>, numerators = array<i64: 1, 1, 2, 2>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 1, 1, 1>, coefficient = -0.5 : f64, exclude_outside = true, extrapolation = 3.0 : f64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x3x2xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<1x2x4x4xf32>, %q: tensor<1x3xui8>) {
// CHECK-NEXT:   %0 = nn.resize %q {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1>, offsets = array<i64: 0, -1>, denominators = array<i64: 1, 2>} : (tensor<1x3xui8>) -> tensor<1x6xui8>
// CHECK-NEXT:   %1 = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1, 1>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 1, 2, 3>, rounding = #nn<rounding floor>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x8x12xf32>
// CHECK-NEXT:   %2 = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 1, 3, 2>, offsets = array<i64: 0, 0, 0, -1>, denominators = array<i64: 1, 1, 7, 4>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x8x8xf32>
// CHECK-NEXT:   %3 = nn.resize %x {interpolation = #nn<interpolation cubic>, numerators = array<i64: 1, 1, 2, 2>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 1, 1, 1>, coefficient = -5.000000e-01 : f64, exclude_outside = true, extrapolation = 3.000000e+00 : f64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x3x2xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
