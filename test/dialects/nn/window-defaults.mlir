// RUN: autodeploy-opt %s | filecheck %s
// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// The strides and dilations of a window are 1 and its pads 0 where they are left out; their number
// follows from the rank of the image.

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>, %s: tensor<1x4x9xf32>, %g: tensor<4x2x3xf32>, %h: tensor<2x4x3xf32>) {
  // CHECK: nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
  %0 = nn.conv %x, %f : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  // CHECK: nn.conv %x, %f {strides = array<i64: 2, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
  %1 = nn.conv %x, %f {strides = array<i64: 2, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x2x3xf32>
  // CHECK: nn.conv %s, %g {{.*}}groups = 2 : i64
  %2 = nn.conv %s, %g {groups = 2 : i64} : (tensor<1x4x9xf32>, tensor<4x2x3xf32>) -> tensor<1x4x7xf32>
  // CHECK: nn.max_pool %s {window = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>, dilations = array<i64: 1>}
  %3 = nn.max_pool %s {window = array<i64: 3>, pads = array<i64: 1, 1>} : (tensor<1x4x9xf32>) -> tensor<1x4x9xf32>
  // CHECK: nn.conv_transpose %s, %h {{.*}}output_padding = array<i64: 1>
  %4 = nn.conv_transpose %s, %h {strides = array<i64: 2>, output_padding = array<i64: 1>} : (tensor<1x4x9xf32>, tensor<2x4x3xf32>) -> tensor<1x2x20xf32>
  func.return
}
