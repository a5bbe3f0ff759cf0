// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=TWO

// A single band is shared: first its tiles, to transform them, then the channels of the result,
// of which a core fetches its own panels of the filter ahead.

func.func @f(%x: tensor<1x14x14x256xf32>, %w: tensor<8x6x6x256x32xf32>) -> tensor<1x14x14x256xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4]>} : (tensor<1x14x14x256xf32>, tensor<8x6x6x256x32xf32>) -> tensor<1x14x14x256xf32> {
  ^bb0(%x_: tensor<1x14x14x256xf32>, %w_: tensor<8x6x6x256x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x14x14x256xf32>, tensor<8x6x6x256x32xf32>) -> tensor<1x14x14x256xf32>
    nn.yield %v : tensor<1x14x14x256xf32>
  }
  func.return %y : tensor<1x14x14x256xf32>
}

// TWO: halide.split %out "c" to "cb", "cc" by 32 : !halide.func<f32, 4>
// TWO: halide.split %input_tiles "t" to "tb", "t" by 8 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 5>
// TWO: halide.parallel %input_tiles "tb" : !halide.func<f32, 5>
// TWO: halide.prefetch_line %sums "cio"
// TWO: halide.parallel %out "cb" : !halide.func<f32, 4>
