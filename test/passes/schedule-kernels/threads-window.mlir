// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Few rows are fused with tiles of pixels.

func.func @rows(%x: tensor<1x5x30x512xf32>) -> tensor<1x5x30x512xf32> {
  %y = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x30x512xf32>) -> tensor<1x5x30x512xf32>
  func.return %y : tensor<1x5x30x512xf32>
}

// CHECK: halide.pipeline @max_pool_0
// CHECK: halide.fuse %out "xo", "y" to "y_xo"
// CHECK-NEXT: halide.parallel %out "y_xo"

// A single pixel has its vectors of channels shared.

func.func @pixel(%x: tensor<1x7x7x2048xf32>) -> tensor<1x1x1x2048xf32> {
  %y = nn.average_pool %x {window = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x7x7x2048xf32>) -> tensor<1x1x1x2048xf32>
  func.return %y : tensor<1x1x1x2048xf32>
}

// CHECK: halide.pipeline @average_pool_1
// CHECK: halide.reorder %out ["ct", "xt", "co", "xo", "y", "n"]
// CHECK: halide.parallel %out "co"

// Where vectors do not divide the channels, groups of them are: the last two overlap.

func.func @uneven(%x: tensor<1x7x7x1500xf32>) -> tensor<1x1x1x1500xf32> {
  %y = nn.average_pool %x {window = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x7x7x1500xf32>) -> tensor<1x1x1x1500xf32>
  func.return %y : tensor<1x1x1x1500xf32>
}

// CHECK: halide.pipeline @average_pool_2
// CHECK: halide.split %out "co" to "cog", "co" by 24 {tail = #halide<tail guard_with_if>}
// CHECK: halide.parallel %out "cog"
