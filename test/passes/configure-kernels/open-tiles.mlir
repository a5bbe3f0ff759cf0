// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// What is cut in tiles of a constant size is no axis of which a run has some elements.

func.func @f(%x: tensor<1x4x8x16xf32, #nn.extents<[1, 4, d0, 16], "n", 1 to 8>>) -> tensor<1x4x8x16xf32, #nn.extents<[1, 4, d0, 16], "n", 1 to 8>> {
  %y = nn.kernel(%x) {config = #nn.config<window>} : (tensor<1x4x8x16xf32, #nn.extents<[1, 4, d0, 16], "n", 1 to 8>>) -> tensor<1x4x8x16xf32, #nn.extents<[1, 4, d0, 16], "n", 1 to 8>> {
  ^bb0(%i: tensor<1x4x8x16xf32, #nn.extents<[1, 4, d0, 16], "n", 1 to 8>>):
    %v = nn.max_pool %i {window = array<i64: 3, 1>, strides = array<i64: 1, 1>, pads = array<i64: 1, 0, 1, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x16xf32, #nn.extents<[1, 4, d0, 16], "n", 1 to 8>>) -> tensor<1x4x8x16xf32, #nn.extents<[1, 4, d0, 16], "n", 1 to 8>>
    nn.yield %v : tensor<1x4x8x16xf32, #nn.extents<[1, 4, d0, 16], "n", 1 to 8>>
  }
  func.return %y : tensor<1x4x8x16xf32, #nn.extents<[1, 4, d0, 16], "n", 1 to 8>>
}

// CHECK: error: 'nn.kernel' op template window would cut an open axis in tiles, expected plain
