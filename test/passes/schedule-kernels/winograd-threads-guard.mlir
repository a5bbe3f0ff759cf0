// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=2:l2=2M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Seven rows of tiles, and a single tile of channels: four bands of two rows give each of two
// cores as much. All tiles of the last one are computed, and those below the end are not written.

func.func @f(%x: tensor<1x28x28x128xf32>, %w: tensor<1x6x6x128x32xf32>) -> tensor<1x28x28x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4]>} : (tensor<1x28x28x128xf32>, tensor<1x6x6x128x32xf32>) -> tensor<1x28x28x32xf32> {
  ^bb0(%x_: tensor<1x28x28x128xf32>, %w_: tensor<1x6x6x128x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x28x28x128xf32>, tensor<1x6x6x128x32xf32>) -> tensor<1x28x28x32xf32>
    nn.yield %v : tensor<1x28x28x32xf32>
  }
  func.return %y : tensor<1x28x28x32xf32>
}

// CHECK:     halide.split %out "y" to "yt", "j" by 4 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// CHECK:     halide.split %out "yt" to "yb", "yo" by 2 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// CHECK:     halide.bound_extent %input_tiles "t" extent 14 : !halide.func<f32, 5>
// CHECK:     halide.bound_extent %products "t" extent 14 : !halide.func<f32, 5>
// CHECK:     halide.bound_extent %output_rows "t" extent 1 : !halide.func<f32, 5>
// CHECK:     halide.bound_extent %output_tiles "t" extent 1 : !halide.func<f32, 5>
// CHECK:     halide.bound_extent %padded "y" extent 10 : !halide.func<f32, 4>
// CHECK-NOT: halide.parallel %input_tiles
// CHECK:     halide.parallel %out "yb" : !halide.func<f32, 4>
