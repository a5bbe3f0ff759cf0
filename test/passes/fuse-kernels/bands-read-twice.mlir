// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Near misses: the image is also what the second kernel adds to its result.

func.func @f(%x: tensor<1x112x112x16xf32>, %w: tensor<1x1x16x96xf32>, %w1: tensor<3x3x1x96xf32>) -> tensor<1x112x112x96xf32> {
  %e = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
  %y = nn.kernel(%e, %w1) : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x112x112x96xf32> {
  ^bb0(%a: tensor<1x112x112x96xf32>, %b: tensor<3x3x1x96xf32>):
    %c = nn.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x112x112x96xf32>
    %s = nn.add %c, %a : (tensor<1x112x112x96xf32>, tensor<1x112x112x96xf32>) -> tensor<1x112x112x96xf32>
    nn.yield %s : tensor<1x112x112x96xf32>
  }
  func.return %y : tensor<1x112x112x96xf32>
}

// CHECK-NOT: row_bands
// CHECK-COUNT-2: nn.kernel(
// CHECK-NOT: row_bands
