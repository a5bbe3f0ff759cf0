// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M:cores=2 --configure-kernels | filecheck %s --check-prefix=CORES
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=1M --configure-kernels | filecheck %s --check-prefix=WIDE

// 98 KB of weights stay in the second-level cache, but a run finds them in a further one. All rows are one block,
// so that each tile of columns can be fetched while the one before is used. Cores that share rows have blocks, and
// where vectors are whole lines nothing is fetched.

func.func @near(%x: tensor<196x64xf32>) -> tensor<196x384xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<64x384xf32>>
  %y = nn.kernel(%x, %w) : (tensor<196x64xf32>, tensor<64x384xf32>) -> tensor<196x384xf32> {
  ^bb0(%l: tensor<196x64xf32>, %r: tensor<64x384xf32>):
    %v = nn.matmul %l, %r : (tensor<196x64xf32>, tensor<64x384xf32>) -> tensor<196x384xf32>
    nn.yield %v : tensor<196x384xf32>
  }
  func.return %y : tensor<196x384xf32>
}

// CHECK: @near
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 384], block = [49], fetch = [32, rhs], unroll = [8]
// CORES: @near
// CORES: #nn.config<gemm, {{.*}} parallel = [blocks], {{.*}} fetch = [], unroll = []
// WIDE: @near
// WIDE: #nn.config<gemm, {{.*}} block = [4], fetch = [], unroll = []

// So many tiles of rows would fetch each line far too often.

func.func @many_rows(%x: tensor<1600x64xf32>) -> tensor<1600x384xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<64x384xf32>>
  %y = nn.kernel(%x, %w) : (tensor<1600x64xf32>, tensor<64x384xf32>) -> tensor<1600x384xf32> {
  ^bb0(%l: tensor<1600x64xf32>, %r: tensor<64x384xf32>):
    %v = nn.matmul %l, %r : (tensor<1600x64xf32>, tensor<64x384xf32>) -> tensor<1600x384xf32>
    nn.yield %v : tensor<1600x384xf32>
  }
  func.return %y : tensor<1600x384xf32>
}

// CHECK: @many_rows
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 384], block = [4], fetch = [], unroll = []

// The left-hand side of 2 MB does not stay in the cache with all rows in one block.

func.func @large_left(%x: tensor<512x1024xf32>) -> tensor<512x48xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1024x48xf32>>
  %y = nn.kernel(%x, %w) : (tensor<512x1024xf32>, tensor<1024x48xf32>) -> tensor<512x48xf32> {
  ^bb0(%l: tensor<512x1024xf32>, %r: tensor<1024x48xf32>):
    %v = nn.matmul %l, %r : (tensor<512x1024xf32>, tensor<1024x48xf32>) -> tensor<512x48xf32>
    nn.yield %v : tensor<512x48xf32>
  }
  func.return %y : tensor<512x48xf32>
}

// CHECK: @large_left
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 48], block = [4],
// CHECK-NOT: rhs

// There is no other tile of columns.

func.func @one_tile(%x: tensor<196x64xf32>) -> tensor<196x24xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<64x24xf32>>
  %y = nn.kernel(%x, %w) : (tensor<196x64xf32>, tensor<64x24xf32>) -> tensor<196x24xf32> {
  ^bb0(%l: tensor<196x64xf32>, %r: tensor<64x24xf32>):
    %v = nn.matmul %l, %r : (tensor<196x64xf32>, tensor<64x24xf32>) -> tensor<196x24xf32>
    nn.yield %v : tensor<196x24xf32>
  }
  func.return %y : tensor<196x24xf32>
}

// CHECK: @one_tile
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 24], block = [49], fetch = [], unroll = []
