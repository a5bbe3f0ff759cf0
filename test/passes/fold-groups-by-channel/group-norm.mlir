// RUN: autodeploy-opt %s --fold-groups-by-channel | filecheck %s

// The mean of each of 4 groups of 3 channels: over space, then over the channels of a group. It is repeated for these, and
// the difference is one of images.

func.func @f(%x: tensor<2x5x7x9xf32>, %w: tensor<12x5x1x1xf32>, %scale: tensor<4x1xf32>, %two: tensor<f32>) -> tensor<2x12x7x9xf32> {
  %c = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x5x7x9xf32>, tensor<12x5x1x1xf32>) -> tensor<2x12x7x9xf32>
  %g = nn.reshape %c : (tensor<2x12x7x9xf32>) -> tensor<2x4x189xf32>
  %m = nn.reduce %g {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<2x4x189xf32>) -> tensor<2x4x1xf32>
  %d = nn.sub %g, %m : (tensor<2x4x189xf32>, tensor<2x4x1xf32>) -> tensor<2x4x189xf32>
  %s = nn.mul %d, %scale : (tensor<2x4x189xf32>, tensor<4x1xf32>) -> tensor<2x4x189xf32>
  %t = nn.mul %two, %s : (tensor<f32>, tensor<2x4x189xf32>) -> tensor<2x4x189xf32>
  %y = nn.reshape %t : (tensor<2x4x189xf32>) -> tensor<2x12x7x9xf32>
  func.return %y : tensor<2x12x7x9xf32>
}

// CHECK:      %c = nn.conv
// CHECK-NEXT: %0 = nn.reduce %c {kind = #nn<reduction mean>, axes = array<i64: 2, 3>} : (tensor<2x12x7x9xf32>) -> tensor<2x12xf32>
// CHECK-NEXT: %1 = nn.reshape %0 : (tensor<2x12xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: %2 = nn.reduce %1 {kind = #nn<reduction mean>, axes = array<i64: 2>} : (tensor<2x4x3xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %m = nn.reshape %2 : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
// CHECK-NEXT: %3 = nn.broadcast %m : (tensor<2x4x1xf32>) -> tensor<2x4x3xf32>
// CHECK-NEXT: %4 = nn.reshape %3 : (tensor<2x4x3xf32>) -> tensor<2x12x1x1xf32>
// CHECK-NEXT: %d = nn.sub %c, %4 : (tensor<2x12x7x9xf32>, tensor<2x12x1x1xf32>) -> tensor<2x12x7x9xf32>
// CHECK-NEXT: %5 = nn.reshape %scale : (tensor<4x1xf32>) -> tensor<1x4x1xf32>
// CHECK-NEXT: %6 = nn.broadcast %5 : (tensor<1x4x1xf32>) -> tensor<1x4x3xf32>
// CHECK-NEXT: %7 = nn.reshape %6 : (tensor<1x4x3xf32>) -> tensor<1x12x1x1xf32>
// CHECK-NEXT: %s = nn.mul %d, %7 : (tensor<2x12x7x9xf32>, tensor<1x12x1x1xf32>) -> tensor<2x12x7x9xf32>
// CHECK-NEXT: %t = nn.mul %two, %s : (tensor<f32>, tensor<2x12x7x9xf32>) -> tensor<2x12x7x9xf32>
// CHECK-NEXT: func.return %t
