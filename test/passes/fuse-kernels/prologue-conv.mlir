// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Images that are padded anyway are computed in the same go, also small ones. Near misses: one that
// is not padded and would be computed as a whole, and one of single channels, each read nine times.

func.func @f(%x: tensor<1x14x14x32xf32>, %w: tensor<3x3x32x32xf32>, %d: tensor<3x3x1x32xf32>) -> (tensor<1x14x14x32xf32>, tensor<1x12x12x32xf32>, tensor<1x14x14x32xf32>) {
  %a = nn.relu %x : (tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  %y = nn.conv %a, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x14x14x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x14x14x32xf32>
  %b = nn.abs %x : (tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  %z = nn.conv %b, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x14x14x32xf32>, tensor<3x3x32x32xf32>) -> tensor<1x12x12x32xf32>
  %c = nn.neg %x : (tensor<1x14x14x32xf32>) -> tensor<1x14x14x32xf32>
  %v = nn.conv %c, %d {groups = 32 : i64, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x14x14x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x14x14x32xf32>
  func.return %y, %z, %v : tensor<1x14x14x32xf32>, tensor<1x12x12x32xf32>, tensor<1x14x14x32xf32>
}

// CHECK:         nn.kernel(%x, %w) :
// CHECK:         nn.relu
// CHECK-NEXT:    nn.conv
// CHECK-COUNT-4: nn.kernel(
// CHECK-NOT:     nn.kernel(
