// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --pack-weights | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --pack-weights | filecheck %s --check-prefix=AVX2

// A right-hand side is packed by vectors of columns, and filled up to whole tiles with zeros.

func.func @f(%a: tensor<49x8xf32>) -> (tensor<49x96xf32>, tensor<49x24xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<8x96xf32>>
  %u = nn.constant #nn.dense<1.0 : tensor<8x24xf32>>
  %whole = nn.kernel(%a, %w) {config = #nn.config<gemm>} : (tensor<49x8xf32>, tensor<8x96xf32>) -> tensor<49x96xf32> {
  ^bb0(%l: tensor<49x8xf32>, %r: tensor<8x96xf32>):
    %v = nn.matmul %l, %r : (tensor<49x8xf32>, tensor<8x96xf32>) -> tensor<49x96xf32>
    nn.yield %v : tensor<49x96xf32>
  }
  %padded = nn.kernel(%a, %u) {config = #nn.config<gemm>} : (tensor<49x8xf32>, tensor<8x24xf32>) -> tensor<49x24xf32> {
  ^bb0(%l: tensor<49x8xf32>, %r: tensor<8x24xf32>):
    %v = nn.matmul %l, %r : (tensor<49x8xf32>, tensor<8x24xf32>) -> tensor<49x24xf32>
    nn.yield %v : tensor<49x24xf32>
  }
  func.return %whole, %padded : tensor<49x96xf32>, tensor<49x24xf32>
}

// AVX512: nn.reshape %w : (tensor<8x96xf32>) -> tensor<8x6x16xf32>
// AVX512: nn.transpose %{{.*}} {permutation = array<i64: 1, 0, 2>} : (tensor<8x6x16xf32>) -> tensor<6x8x16xf32>
// AVX512: nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<49x8xf32>, tensor<6x8x16xf32>) -> tensor<49x96xf32>
// AVX512: nn.pad %u {pads = array<i64: 0, 0, 0, 8>} : (tensor<8x24xf32>) -> tensor<8x32xf32>
// AVX512: nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 24>} : (tensor<49x8xf32>, tensor<2x8x16xf32>) -> tensor<49x24xf32>

// AVX2: nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 8>} : (tensor<49x8xf32>, tensor<12x8x8xf32>) -> tensor<49x96xf32>
// AVX2: nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 8>} : (tensor<49x8xf32>, tensor<3x8x8xf32>) -> tensor<49x24xf32>
