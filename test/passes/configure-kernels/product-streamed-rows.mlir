// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=2M --configure-kernels | filecheck %s

// The second-level cache holds too few tiles of rows to fetch the next tile of columns meanwhile, so
// there are no blocks: rows come from beyond that cache for each tile of columns. Nothing is fetched
// of what is added, a few lines a tile: all other fetches would be of lines that nothing waits for.

func.func @f(%x: tensor<384x3072xf32>, %s: tensor<384x768xf32>) -> tensor<384x768xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<3072x768xf32>>
  %y = nn.kernel(%x, %w, %s) : (tensor<384x3072xf32>, tensor<3072x768xf32>, tensor<384x768xf32>) -> tensor<384x768xf32> {
  ^bb0(%l: tensor<384x3072xf32>, %r: tensor<3072x768xf32>, %t: tensor<384x768xf32>):
    %v = nn.matmul %l, %r : (tensor<384x3072xf32>, tensor<3072x768xf32>) -> tensor<384x768xf32>
    %z = nn.add %v, %t : (tensor<384x768xf32>, tensor<384x768xf32>) -> tensor<384x768xf32>
    nn.yield %z : tensor<384x768xf32>
  }
  func.return %y : tensor<384x768xf32>
}

// CHECK: #nn.config<gemm, tile = [48, 8], pack = [16, 768], block = [48], fetch = [8, rhs], unroll = [4]>
