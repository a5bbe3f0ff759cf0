// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M --configure-kernels | filecheck %s

// With 16 registers of half a line, tiles have twelve sums, where they can. Of 77 rows, seven tiles of 8x11 divide
// the rows, but they load twelve operands for eleven multiply-adds: thirteen tiles of 16x6 are faster.

func.func @busy(%x: tensor<77x768xf32>) -> tensor<77x768xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<768x768xf32>>
  %y = nn.kernel(%x, %w) : (tensor<77x768xf32>, tensor<768x768xf32>) -> tensor<77x768xf32> {
  ^bb0(%l: tensor<77x768xf32>, %r: tensor<768x768xf32>):
    %v = nn.matmul %l, %r : (tensor<77x768xf32>, tensor<768x768xf32>) -> tensor<77x768xf32>
    nn.yield %v : tensor<77x768xf32>
  }
  func.return %y : tensor<77x768xf32>
}

// CHECK: #nn.config<gemm, tile = [16, 6], {{.*}} fetch = [8, rhs], unroll = [8]

// 32 tiles of 4 rows to a block: a line is fetched in 16 steps, of which 8 are unrolled. Three vectors from the
// second-level cache are one and a half lines, no dearer than the two of a tile of 16x6, and padded rows are none.

func.func @many(%x: tensor<384x768xf32>) -> tensor<384x3072xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<768x3072xf32>>
  %y = nn.kernel(%x, %w) : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32> {
  ^bb0(%l: tensor<384x768xf32>, %r: tensor<768x3072xf32>):
    %v = nn.matmul %l, %r : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32>
    nn.yield %v : tensor<384x3072xf32>
  }
  func.return %y : tensor<384x3072xf32>
}

// CHECK: #nn.config<gemm, tile = [24, 4], {{.*}} block = [32], fetch = [16, rhs], unroll = [8]
