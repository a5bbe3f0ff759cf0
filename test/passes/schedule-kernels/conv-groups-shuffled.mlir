// RUN: autodeploy-opt %s --form-kernels --fuse-channel-shuffles --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --form-kernels --fuse-channel-shuffles --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --form-kernels --fuse-channel-shuffles --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEON
// RUN: autodeploy-opt %s --form-kernels --fuse-channel-shuffles --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=TWO
// RUN: autodeploy-opt %s --form-kernels --fuse-channel-shuffles --set-machine=machine=x86-64-avx2:l2=4K --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=FAR

// The channels of a group lie all over the pixels, and are looked for there: all groups of a row are
// computed while it is near. Where the filter does not stay near meanwhile, groups are swept as ever.

func.func @f(%x: tensor<1x28x28x64xf32>, %w: tensor<1x1x16x64xf32>) -> tensor<1x28x28x64xf32> {
  %s_a = nn.reshape %x : (tensor<1x28x28x64xf32>) -> tensor<1x28x28x4x16xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x28x28x4x16xf32>) -> tensor<1x28x28x16x4xf32>
  %s = nn.reshape %s_t : (tensor<1x28x28x16x4xf32>) -> tensor<1x28x28x64xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x64xf32>, tensor<1x1x16x64xf32>) -> tensor<1x28x28x64xf32>
  func.return %y : tensor<1x28x28x64xf32>
}

// AVX512:      halide.load %in0[%{{.*}}, %x_1, %y_1, %{{.*}}]
// AVX512:      halide.reorder %out ["ct", "xt", "xo", "co", "g", "y", "n"] : !halide.func<f32, 4>

// AVX2:      halide.load %in0[%{{.*}}, %x_1, %y_1, %{{.*}}]
// AVX2:      halide.reorder %out ["ct", "xt", "xo", "co", "g", "y", "n"] : !halide.func<f32, 4>

// NEON:      halide.load %in0[%{{.*}}, %x_1, %y_1, %{{.*}}]
// NEON:      halide.reorder %out ["ct", "xt", "xo", "co", "g", "y", "n"] : !halide.func<f32, 4>

// TWO:      halide.load %in0[%{{.*}}, %x_1, %y_1, %{{.*}}]
// TWO:      halide.reorder %out ["ct", "xt", "xo", "co", "g", "yt", "yo", "n"] : !halide.func<f32, 4>

// FAR:      halide.load %in0[%{{.*}}, %x_1, %y_1, %{{.*}}]
// FAR:      halide.reorder %out ["ct", "xt", "xo", "y", "n", "co", "g"] : !halide.func<f32, 4>
