// RUN: autodeploy-opt %s --assign-layouts --simplify-nn | filecheck %s

// A normalisation across channels follows the layout of its operand.

func.func @f(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32>
  %y = nn.lrn %p {size = 5 : i64, alpha = 0.5 : f64, beta = 0.75 : f64, bias = 1.0 : f64} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  func.return %y : tensor<1x2x4x5xf32>
}

func.func @alone(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x5x6xf32> {
  %y = nn.lrn %x {size = 5 : i64, alpha = 0.5 : f64, beta = 0.75 : f64, bias = 1.0 : f64} : (tensor<1x2x5x6xf32>) -> tensor<1x2x5x6xf32>
  func.return %y : tensor<1x2x5x6xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x5x6xf32>) -> tensor<1x5x6x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.lrn %p {size = 5 : i64, alpha = 5.000000e-01 : f64, beta = 7.500000e-01 : f64, bias = 1.000000e+00 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x2x4x5xf32>
// CHECK-NEXT: }

// CHECK:      func.func @alone(%x: tensor<1x2x5x6xf32>) -> tensor<1x2x5x6xf32> {
// CHECK-NEXT:   %y = nn.lrn %x {size = 5 : i64, alpha = 5.000000e-01 : f64, beta = 7.500000e-01 : f64, bias = 1.000000e+00 : f64} : (tensor<1x2x5x6xf32>) -> tensor<1x2x5x6xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x5x6xf32>
// CHECK-NEXT: }
