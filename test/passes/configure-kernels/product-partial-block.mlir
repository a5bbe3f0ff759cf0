// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=2M --configure-kernels | filecheck %s

// Two blocks that the second-level cache holds would not divide the 43 tiles of rows, so there are
// no blocks. Two blocks divide 64 tiles.

func.func @one_block(%x: tensor<257x1024xf32>) -> tensor<257x768xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1024x768xf32>>
  %y = nn.kernel(%x, %w) : (tensor<257x1024xf32>, tensor<1024x768xf32>) -> tensor<257x768xf32> {
  ^bb0(%l: tensor<257x1024xf32>, %r: tensor<1024x768xf32>):
    %v = nn.matmul %l, %r : (tensor<257x1024xf32>, tensor<1024x768xf32>) -> tensor<257x768xf32>
    nn.yield %v : tensor<257x768xf32>
  }
  func.return %y : tensor<257x768xf32>
}

// CHECK: #nn.config<gemm, tile = [64, 6], pack = [16, 768], block = [43], fetch = [8, rhs], unroll = [4]>

func.func @two_blocks(%x: tensor<512x1024xf32>) -> tensor<512x1152xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1024x1152xf32>>
  %y = nn.kernel(%x, %w) : (tensor<512x1024xf32>, tensor<1024x1152xf32>) -> tensor<512x1152xf32> {
  ^bb0(%l: tensor<512x1024xf32>, %r: tensor<1024x1152xf32>):
    %v = nn.matmul %l, %r : (tensor<512x1024xf32>, tensor<1024x1152xf32>) -> tensor<512x1152xf32>
    nn.yield %v : tensor<512x1152xf32>
  }
  func.return %y : tensor<512x1152xf32>
}

// CHECK: #nn.config<gemm, tile = [48, 8], pack = [16, 1152], block = [32], fetch = [8, rhs], unroll = [4]>
