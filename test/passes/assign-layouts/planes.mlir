// RUN: autodeploy-opt %s --split-input-file --assign-layouts --simplify-nn | filecheck %s

// A convolution of a few channels reads a channels-first image as it is.

func.func @f(%x: tensor<1x3x8x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x6x14xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x8x16xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x6x14xf32>
  func.return %y : tensor<1x8x6x14xf32>
}

// CHECK:      func.func @f(%x: tensor<1x3x8x16xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x6x14xf32> {
// CHECK-NEXT:   %0 = nn.transpose %w {permutation = array<i64: 2, 3, 1, 0>} : (tensor<8x3x3x3xf32>) -> tensor<3x3x3x8xf32>
// CHECK-NEXT:   %y = nn.conv %x, %0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout first_to_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x3x8x16xf32>, tensor<3x3x3x8xf32>) -> tensor<1x6x14x8xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x6x14x8xf32>) -> tensor<1x8x6x14xf32>

// -----

// Five channels are turned, and so is an image that lies with its channels last already.

// CHECK:      func.func @more(
// CHECK:        %1 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>}
// CHECK:        nn.conv %1, {{.*}}layout = #nn<layout channels_last>
func.func @more(%x: tensor<1x5x8x16xf32>, %w: tensor<8x5x3x3xf32>) -> tensor<1x8x6x14xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x5x8x16xf32>, tensor<8x5x3x3xf32>) -> tensor<1x8x6x14xf32>
  func.return %y : tensor<1x8x6x14xf32>
}

// -----

// CHECK:      func.func @last(
// CHECK:        %[[FIRST:.*]] = nn.conv {{.*}}layout = #nn<layout channels_last>
// CHECK:        nn.conv %[[FIRST]], {{.*}}layout = #nn<layout channels_last>
func.func @last(%x: tensor<1x5x8x20xf32>, %a: tensor<3x5x1x1xf32>, %w: tensor<8x3x3x3xf32>) -> tensor<1x8x6x18xf32> {
  %t = nn.conv %x, %a {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x5x8x20xf32>, tensor<3x5x1x1xf32>) -> tensor<1x3x8x20xf32>
  %y = nn.conv %t, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x8x20xf32>, tensor<8x3x3x3xf32>) -> tensor<1x8x6x18xf32>
  func.return %y : tensor<1x8x6x18xf32>
}
