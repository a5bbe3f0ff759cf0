// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=TWO
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=ONE

// Where two cores can take a band of the image each, they do.

func.func @f(%x: tensor<1x56x56x64xf32>, %w: tensor<2x6x6x64x32xf32>) -> tensor<1x56x56x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4]>} : (tensor<1x56x56x64xf32>, tensor<2x6x6x64x32xf32>) -> tensor<1x56x56x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<2x6x6x64x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x56x56x64xf32>, tensor<2x6x6x64x32xf32>) -> tensor<1x56x56x64xf32>
    nn.yield %v : tensor<1x56x56x64xf32>
  }
  func.return %y : tensor<1x56x56x64xf32>
}

// ONE-NOT: halide.parallel
// TWO-NOT: halide.parallel %input_tiles
// TWO:     halide.parallel %out "yb" : !halide.func<f32, 4>
