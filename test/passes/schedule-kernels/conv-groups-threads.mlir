// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=ONE
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=TWO
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=64 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=MANY

// Several cores share the rows of a grouped convolution, as they do those of its neighbours; a band of
// rows is padded by the core that reads it. Where there are more cores than rows they share groups.

func.func @f(%x: tensor<1x28x28x64xf32>, %w: tensor<3x3x16x64xf32>) -> tensor<1x28x28x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x28x28x64xf32>, tensor<3x3x16x64xf32>) -> tensor<1x28x28x64xf32> {
  ^bb0(%x_: tensor<1x28x28x64xf32>, %w_: tensor<3x3x16x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x64xf32>, tensor<3x3x16x64xf32>) -> tensor<1x28x28x64xf32>
    nn.yield %v : tensor<1x28x28x64xf32>
  }
  func.return %y : tensor<1x28x28x64xf32>
}

// ONE:      halide.compute_root %padded
// ONE:      halide.reorder %out ["ct", "xt", "xo", "y", "n", "co", "g"] : !halide.func<f32, 4>
// ONE-NOT:  halide.parallel

// TWO:      halide.split %out "y" to "yo", "yt" by 14 : !halide.func<f32, 4>
// TWO-NEXT: halide.reorder %out ["ct", "xt", "xo", "yt", "co", "g", "yo", "n"] : !halide.func<f32, 4>
// TWO:      halide.compute_at %padded at %out "yo"
// TWO:      halide.parallel %out "yo"

// MANY:     halide.parallel %out "g"
