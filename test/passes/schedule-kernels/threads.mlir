// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=ONE
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=4 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=FOUR

// Several cores share the outermost loop of a large kernel.

func.func @f(%x: tensor<1x64x64x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<1x62x62x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x64x64x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x62x62x64xf32> {
  ^bb0(%x_: tensor<1x64x64x64xf32>, %w_: tensor<3x3x64x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x64x64x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x62x62x64xf32>
    nn.yield %v : tensor<1x62x62x64xf32>
  }
  func.return %y : tensor<1x62x62x64xf32>
}

// ONE-NOT: halide.parallel

// FOUR:       halide.parallel %out "y" : !halide.func<f32, 4>
