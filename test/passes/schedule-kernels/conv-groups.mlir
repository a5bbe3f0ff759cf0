// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON

// A tile of channels stays within its group, and a group is swept before the next.

func.func @f(%x: tensor<1x14x14x8xf32>, %w: tensor<3x3x4x128xf32>) -> tensor<1x12x12x128xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x14x14x8xf32>, tensor<3x3x4x128xf32>) -> tensor<1x12x12x128xf32> {
  ^bb0(%x_: tensor<1x14x14x8xf32>, %w_: tensor<3x3x4x128xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x14x14x8xf32>, tensor<3x3x4x128xf32>) -> tensor<1x12x12x128xf32>
    nn.yield %v : tensor<1x12x12x128xf32>
  }
  func.return %y : tensor<1x12x12x128xf32>
}

// AVX512:       halide.split %out "c" to "g", "cg" by 64 : !halide.func<f32, 4>
// AVX512-NEXT:  halide.split %out "cg" to "co", "ct" by 64 : !halide.func<f32, 4>
// AVX512-NEXT:  halide.split %out "x" to "xo", "xt" by 6 : !halide.func<f32, 4>
// AVX512-NEXT:  halide.reorder %out ["ct", "xt", "xo", "y", "n", "co", "g"] : !halide.func<f32, 4>

// AVX2:         halide.split %out "c" to "g", "cg" by 64 : !halide.func<f32, 4>
// AVX2-NEXT:    halide.split %out "cg" to "co", "ct" by 16 : !halide.func<f32, 4>
// AVX2-NEXT:    halide.split %out "x" to "xo", "xt" by 6 : !halide.func<f32, 4>
// AVX2-NEXT:    halide.reorder %out ["ct", "xt", "xo", "y", "n", "co", "g"] : !halide.func<f32, 4>

// NEON:         halide.split %out "c" to "g", "cg" by 64 : !halide.func<f32, 4>
// NEON-NEXT:    halide.split %out "cg" to "co", "ct" by 16 : !halide.func<f32, 4>
// NEON-NEXT:    halide.split %out "x" to "xo", "xt" by 6 : !halide.func<f32, 4>
// NEON-NEXT:    halide.reorder %out ["ct", "xt", "xo", "y", "n", "co", "g"] : !halide.func<f32, 4>
