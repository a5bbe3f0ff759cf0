// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M --configure-kernels | filecheck %s --check-prefix=AVX2
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels | filecheck %s --check-prefix=AVX512

// Three taps of a row are unrolled and share inputs, for which 16 registers have room beside 10 sums.

func.func @f(%x: tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<3x3x16x128xf32>>
  %y = nn.kernel(%x, %w) : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x28x28x128xf32> {
  ^bb0(%i: tensor<1x28x28x128xf32>, %k: tensor<3x3x16x128xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 8 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x28x28x128xf32>
    nn.yield %v : tensor<1x28x28x128xf32>
  }
  func.return %y : tensor<1x28x28x128xf32>
}

// AVX2:   config<grouped_conv, tile = [16, 5], pack = [16], order = [x, y, c], unroll = [3]
// AVX512: config<grouped_conv, tile = [16, 14], pack = [16], order = [x, y, c], unroll = [3]
