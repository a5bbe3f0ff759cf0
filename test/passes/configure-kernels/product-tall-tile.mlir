// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M --configure-kernels | filecheck %s

// Tiles of 8x13 divide the rows, but 13 sums leave three of 16 registers, and compilers keep some sums in memory.

func.func @tall(%x: tensor<169x512xf32>) -> tensor<169x1000xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<512x1000xf32>>
  %y = nn.kernel(%x, %w) : (tensor<169x512xf32>, tensor<512x1000xf32>) -> tensor<169x1000xf32> {
  ^bb0(%l: tensor<169x512xf32>, %r: tensor<512x1000xf32>):
    %v = nn.matmul %l, %r : (tensor<169x512xf32>, tensor<512x1000xf32>) -> tensor<169x1000xf32>
    nn.yield %v : tensor<169x1000xf32>
  }
  func.return %y : tensor<169x1000xf32>
}

// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1008], block = [43], fetch = [16, rhs], unroll = [8]

// Of a single vector of columns, nothing is unrolled, and there is no other way: high tiles are left.

func.func @narrow(%x: tensor<169x512xf32>) -> tensor<169x8xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<512x8xf32>>
  %y = nn.kernel(%x, %w) : (tensor<169x512xf32>, tensor<512x8xf32>) -> tensor<169x8xf32> {
  ^bb0(%l: tensor<169x512xf32>, %r: tensor<512x8xf32>):
    %v = nn.matmul %l, %r : (tensor<169x512xf32>, tensor<512x8xf32>) -> tensor<169x8xf32>
    nn.yield %v : tensor<169x8xf32>
  }
  func.return %y : tensor<169x8xf32>
}

// CHECK: #nn.config<gemm, tile = [8, 13], pack = [8, 8], block = [13], fetch = [], unroll = []

// Tiles of 24x3 divide 729 rows, but cost 1.09 times as much as those of 24x4.

func.func @whole(%x: tensor<729x192xf32>) -> tensor<729x960xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<192x960xf32>>
  %y = nn.kernel(%x, %w) : (tensor<729x192xf32>, tensor<192x960xf32>) -> tensor<729x960xf32> {
  ^bb0(%l: tensor<729x192xf32>, %r: tensor<192x960xf32>):
    %v = nn.matmul %l, %r : (tensor<729x192xf32>, tensor<192x960xf32>) -> tensor<729x960xf32>
    nn.yield %v : tensor<729x960xf32>
  }
  func.return %y : tensor<729x960xf32>
}

// CHECK: @whole
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 960],
