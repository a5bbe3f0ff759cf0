// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Two vectors of AVX2 are one line. A band of 18 tiles is three groups of six, which fetch 3 * 64 / 2
// lines; a panel has 64.

// CHECK: halide.split %out "yt" to "yb", "yo" by 3 : !halide.func<f32, 4>
// CHECK: halide.split %products "t" to "to", "tt" by 6 : !halide.func<f32, 5>
// CHECK: halide.split %sums "ci" to "cio", "cii" by 2 {stage = 1 : i64} : !halide.func<f32, 5>
// CHECK: halide.prefetch_line %sums "cio" of %{{.*}} at affine_map<(d0, d1, d2, d3, d4, d5) -> ((((d1 floordiv 6) * 512) + ((d5 floordiv 2) * 16)), 0, (d2 + 1), d3, (d0 floordiv 16))>
func.func @f(%x: tensor<1x12x12x64xf32>, %w: tensor<2x4x4x64x16xf32>) -> tensor<1x12x12x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [2]>} : (tensor<1x12x12x64xf32>, tensor<2x4x4x64x16xf32>) -> tensor<1x12x12x32xf32> {
  ^bb0(%x_: tensor<1x12x12x64xf32>, %w_: tensor<2x4x4x64x16xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 2 : i64} : (tensor<1x12x12x64xf32>, tensor<2x4x4x64x16xf32>) -> tensor<1x12x12x32xf32>
    nn.yield %v : tensor<1x12x12x32xf32>
  }
  func.return %y : tensor<1x12x12x32xf32>
}
