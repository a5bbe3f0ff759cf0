// RUN: autodeploy-opt %s --fuse-conv-add | filecheck %s

// Channels last the constant lies along the last axis; the properties of the convolution stay.

func.func @last(%x: tensor<1x4x4x2xf32>, %w: tensor<1x1x2x3xf32>) -> tensor<1x4x4x3xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x4x4x3xf32>
  %s = nn.add %y, %c : (tensor<1x4x4x3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  func.return %s : tensor<1x4x4x3xf32>
}

func.func @groups(%x: tensor<1x2x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0] : tensor<2x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  %s = nn.add %y, %c : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  func.return %s : tensor<1x2x4x4xf32>
}

// CHECK:      func.func @last(%x: tensor<1x4x4x2xf32>, %w: tensor<1x1x2x3xf32>) -> tensor<1x4x4x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
// CHECK-NEXT:   %s = nn.conv %x, %w, %0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
// CHECK-NEXT:   func.return %s : tensor<1x4x4x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @groups(%x: tensor<1x2x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
// CHECK-NEXT:   %s = nn.conv %x, %w, %0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<2x1x3x3xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   func.return %s : tensor<1x2x4x4xf32>
// CHECK-NEXT: }
