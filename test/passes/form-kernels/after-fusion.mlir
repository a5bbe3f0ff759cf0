// RUN: autodeploy-opt %s --fuse --form-kernels | filecheck %s

// A residual block: two kernels with an epilogue, one convolution and one softmax alone.

// CHECK-LABEL: func.func @block
// CHECK-SAME:    (%x: tensor<1x3x4x4xf32>, %w: tensor<3x3x1x1xf32>)
// CHECK-NEXT:    nn.constant
// CHECK-NEXT:    %h = nn.kernel(%x, %w, %{{.*}})
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      nn.conv
// CHECK-NEXT:      nn.relu
// CHECK-NEXT:      nn.yield
// CHECK:         %r = nn.kernel(%h, %w, %x)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      nn.conv
// CHECK-NEXT:      nn.add
// CHECK-NEXT:      nn.relu
// CHECK-NEXT:      nn.yield
// CHECK:         %t = nn.kernel(%r)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      nn.softmax
// CHECK-NEXT:      nn.yield
// CHECK:         func.return %t
func.func @block(%x: tensor<1x3x4x4xf32>, %w: tensor<3x3x1x1xf32>) -> tensor<1x3x4x4xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %a = nn.add %y, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %h = nn.relu %a : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %z = nn.conv %h, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<3x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %z, %x : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %r = nn.relu %s : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %t = nn.softmax %r {axis = 1 : i64} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %t : tensor<1x3x4x4xf32>
}
