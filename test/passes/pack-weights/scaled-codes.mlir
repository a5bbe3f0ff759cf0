// RUN: autodeploy-opt %s --set-machine=machine=x86-64-sapphirerapids --configure-kernels --pack-weights --fold-nn-constants | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --pack-weights --fold-nn-constants | filecheck %s --check-prefix=AVX2

// For rows of codes, as many bytes of a column are neighbours as one instruction sums products of.

func.func @f(%x: tensor<1x32xi8>, %v: tensor<1x2xf32>) -> tensor<1x70xf32> {
  %w = nn.constant #nn.dense<1 : tensor<2x8x70xui8>>
  %s = nn.constant #nn.dense<1.0 : tensor<2x70xf32>>
  %z = nn.constant #nn.dense<1 : tensor<2x70xui8>>
  %a = nn.kernel(%x, %w, %s, %z, %v) : (tensor<1x32xi8>, tensor<2x8x70xui8>, tensor<2x70xf32>, tensor<2x70xui8>, tensor<1x2xf32>) -> tensor<1x70xf32> {
  ^bb0(%l: tensor<1x32xi8>, %c: tensor<2x8x70xui8>, %t: tensor<2x70xf32>, %p: tensor<2x70xui8>, %u: tensor<1x2xf32>):
    %r = nn.scaled_matmul %l, %c, %t, %p, %u {block = 16 : i64} : (tensor<1x32xi8>, tensor<2x8x70xui8>, tensor<2x70xf32>, tensor<2x70xui8>, tensor<1x2xf32>) -> tensor<1x70xf32>
    nn.yield %r : tensor<1x70xf32>
  }
  func.return %a : tensor<1x70xf32>
}

// CHECK: config = #nn.config<scaled, tile = [64, 1], pack = [64, 16], dot = [4]>
// CHECK: {block = 16 : i64, columns = 70 : i64} : (tensor<1x32xi8>, tensor<2x2x2x4x16x4xui8>, tensor<2x2x64xf32>, tensor<2x2x64xui8>, tensor<1x2xf32>) -> tensor<1x70xf32>

// AVX2: config = #nn.config<scaled, tile = [32, 1], pack = [32, 8], dot = [4], pairs = [8]>
// AVX2: {block = 16 : i64, columns = 70 : i64} : (tensor<1x32xi8>, tensor<3x2x2x4x8x4xui8>, tensor<3x2x32xf32>, tensor<3x2x32xui8>, tensor<1x2xf32>) -> tensor<1x70xf32>
