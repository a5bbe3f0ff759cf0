// RUN: autodeploy-opt %s --fuse-conv-residual-add --form-kernels --fuse-channel-shuffles --split-input-file | filecheck %s

// The movements become part of the kernel, in front of the convolution. What the kernel adds is read as
// it is, be it the image itself.

func.func @f(%x: tensor<1x5x7x24xf32>, %w: tensor<1x1x6x24xf32>) -> tensor<1x5x7x24xf32> {
  %s_a = nn.reshape %x : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x4x6xf32>) -> tensor<1x5x7x6x4xf32>
  %s = nn.reshape %s_t : (tensor<1x5x7x6x4xf32>) -> tensor<1x5x7x24xf32>
  %c = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<1x1x6x24xf32>) -> tensor<1x5x7x24xf32>
  %y = nn.add %c, %x : (tensor<1x5x7x24xf32>, tensor<1x5x7x24xf32>) -> tensor<1x5x7x24xf32>
  func.return %y : tensor<1x5x7x24xf32>
}

// CHECK:      func.func @f
// CHECK-NEXT:   %y = nn.kernel(%x, %w)
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x5x7x24xf32>, %w_1: tensor<1x1x6x24xf32>):
// CHECK-NEXT:     %s_a = nn.reshape %x_1 : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
// CHECK-NEXT:     %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>}
// CHECK-NEXT:     %s = nn.reshape %s_t
// CHECK-NEXT:     %c = nn.conv %s, %w_1
// CHECK-NEXT:     %y_1 = nn.add %c, %x_1
// CHECK-NEXT:     nn.yield %y_1
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y

// -----

// All readers are such kernels, with windows and strides, too: each gets the movements.

func.func @readers(%x: tensor<1x5x7x24xf32>, %w: tensor<1x1x6x16xf32>, %v: tensor<3x3x6x16xf32>) -> (tensor<1x5x7x16xf32>, tensor<1x2x3x16xf32>) {
  %s_a = nn.reshape %x : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x4x6xf32>) -> tensor<1x5x7x6x4xf32>
  %s = nn.reshape %s_t : (tensor<1x5x7x6x4xf32>) -> tensor<1x5x7x24xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<1x1x6x16xf32>) -> tensor<1x5x7x16xf32>
  %z = nn.conv %s, %v {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<3x3x6x16xf32>) -> tensor<1x2x3x16xf32>
  func.return %y, %z : tensor<1x5x7x16xf32>, tensor<1x2x3x16xf32>
}

// CHECK:      func.func @readers
// CHECK-NEXT:   %y = nn.kernel(%x, %w)
// CHECK:          nn.transpose
// CHECK:        %z = nn.kernel(%x, %v)
// CHECK:          nn.transpose
// CHECK-NOT:    nn.transpose
// CHECK:        func.return %y, %z
