// RUN: autodeploy-opt %s --fold-groups-by-channel | filecheck %s

// Ops on groups stay as they are where one of them has no form by channel.

// No convolution and no pool makes the image: its channels are not innermost.

// CHECK-LABEL: @channels_first
// CHECK:       nn.reshape {{.*}} -> tensor<1x2x192xf32>
func.func @channels_first(%x: tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32> {
  %g = nn.reshape %x : (tensor<1x6x8x8xf32>) -> tensor<1x2x192xf32>
  %m = nn.reduce %g {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<1x2x192xf32>) -> tensor<1x2x1xf32>
  %d = nn.sub %g, %m : (tensor<1x2x192xf32>, tensor<1x2x1xf32>) -> tensor<1x2x192xf32>
  %y = nn.reshape %d : (tensor<1x2x192xf32>) -> tensor<1x6x8x8xf32>
  func.return %y : tensor<1x6x8x8xf32>
}

// What is computed of groups leaves the function.

// CHECK-LABEL: @leaves
// CHECK:       nn.reshape {{.*}} -> tensor<1x2x192xf32>
func.func @leaves(%x: tensor<1x6x8x8xf32>) -> tensor<1x2x192xf32> {
  %a = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %g = nn.reshape %a : (tensor<1x6x8x8xf32>) -> tensor<1x2x192xf32>
  %m = nn.reduce %g {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<1x2x192xf32>) -> tensor<1x2x1xf32>
  %y = nn.sub %g, %m : (tensor<1x2x192xf32>, tensor<1x2x1xf32>) -> tensor<1x2x192xf32>
  func.return %y : tensor<1x2x192xf32>
}

// Nothing is folded.

// CHECK-LABEL: @no_fold
// CHECK:       nn.reshape {{.*}} -> tensor<1x2x192xf32>
func.func @no_fold(%x: tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32> {
  %a = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %g = nn.reshape %a : (tensor<1x6x8x8xf32>) -> tensor<1x2x192xf32>
  %d = nn.relu %g : (tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
  %y = nn.reshape %d : (tensor<1x2x192xf32>) -> tensor<1x6x8x8xf32>
  func.return %y : tensor<1x6x8x8xf32>
}

// The fold is over the groups.

// CHECK-LABEL: @other_axis
// CHECK:       nn.reshape {{.*}} -> tensor<1x2x192xf32>
func.func @other_axis(%x: tensor<1x6x8x8xf32>) -> tensor<1x192xf32> {
  %a = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %g = nn.reshape %a : (tensor<1x6x8x8xf32>) -> tensor<1x2x192xf32>
  %y = nn.reduce %g {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<1x2x192xf32>) -> tensor<1x192xf32>
  func.return %y : tensor<1x192xf32>
}

// An operand has a number for each element of a group.

// CHECK-LABEL: @each_element
// CHECK:       nn.reshape {{.*}} -> tensor<1x2x192xf32>
func.func @each_element(%x: tensor<1x6x8x8xf32>, %p: tensor<192xf32>) -> tensor<1x6x8x8xf32> {
  %a = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %g = nn.reshape %a : (tensor<1x6x8x8xf32>) -> tensor<1x2x192xf32>
  %m = nn.reduce %g {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<1x2x192xf32>) -> tensor<1x2x1xf32>
  %d = nn.mul %g, %p : (tensor<1x2x192xf32>, tensor<192xf32>) -> tensor<1x2x192xf32>
  %y = nn.reshape %d : (tensor<1x2x192xf32>) -> tensor<1x6x8x8xf32>
  func.return %y : tensor<1x6x8x8xf32>
}

// An operand is reshaped from an image of another shape.

// CHECK-LABEL: @other_groups
// CHECK:       nn.reshape {{.*}} -> tensor<1x2x192xf32>
func.func @other_groups(%x: tensor<1x6x8x8xf32>, %z: tensor<1x3x8x16xf32>) -> tensor<1x6x8x8xf32> {
  %a = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %g = nn.reshape %a : (tensor<1x6x8x8xf32>) -> tensor<1x2x192xf32>
  %m = nn.reduce %g {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<1x2x192xf32>) -> tensor<1x2x1xf32>
  %h = nn.reshape %z : (tensor<1x3x8x16xf32>) -> tensor<1x2x192xf32>
  %d = nn.sub %g, %h : (tensor<1x2x192xf32>, tensor<1x2x192xf32>) -> tensor<1x2x192xf32>
  %y = nn.reshape %d : (tensor<1x2x192xf32>) -> tensor<1x6x8x8xf32>
  func.return %y : tensor<1x6x8x8xf32>
}

// A movement reads the groups.

// CHECK-LABEL: @moved
// CHECK:       nn.reshape {{.*}} -> tensor<1x2x192xf32>
func.func @moved(%x: tensor<1x6x8x8xf32>) -> tensor<1x192x2xf32> {
  %a = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %g = nn.reshape %a : (tensor<1x6x8x8xf32>) -> tensor<1x2x192xf32>
  %m = nn.reduce %g {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<1x2x192xf32>) -> tensor<1x2x1xf32>
  %y = nn.transpose %g {permutation = array<i64: 0, 2, 1>} : (tensor<1x2x192xf32>) -> tensor<1x192x2xf32>
  func.return %y : tensor<1x192x2xf32>
}
