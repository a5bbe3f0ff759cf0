// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// An image that is its own filter is transposed both ways.

func.func @f(%x: tensor<2x2x3x3xf32>) -> tensor<2x2x1x1xf32> {
  %y = nn.conv %x, %x {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x2x3x3xf32>, tensor<2x2x3x3xf32>) -> tensor<2x2x1x1xf32>
  func.return %y : tensor<2x2x1x1xf32>
}

// CHECK:      func.func @f(%x: tensor<2x2x3x3xf32>) -> tensor<2x2x1x1xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 2, 3, 1, 0>} : (tensor<2x2x3x3xf32>) -> tensor<3x3x2x2xf32>
// CHECK-NEXT:   %1 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x2x3x3xf32>) -> tensor<2x3x3x2xf32>
// CHECK-NEXT:   %y = nn.conv %1, %0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<2x3x3x2xf32>, tensor<3x3x2x2xf32>) -> tensor<2x1x1x2xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x1x1x2xf32>) -> tensor<2x2x1x1xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<2x2x1x1xf32>
// CHECK-NEXT: }
