// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels | filecheck %s

// Where rows of the left-hand side, and sections of them, lie a multiple of 4096 bytes apart, their
// lines share one of the sets of the first-level cache, which has eight ways. In blocks, a step
// would read eight rows in four sections, which are 32 lines.

func.func @blocks(%x: tensor<16x4096xf32>) -> tensor<16x96xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<4096x96xf32>>
  %y = nn.kernel(%x, %w) : (tensor<16x4096xf32>, tensor<4096x96xf32>) -> tensor<16x96xf32> {
  ^bb0(%l: tensor<16x4096xf32>, %r: tensor<4096x96xf32>):
    %v = nn.matmul %l, %r : (tensor<16x4096xf32>, tensor<4096x96xf32>) -> tensor<16x96xf32>
    nn.yield %v : tensor<16x96xf32>
  }
  func.return %y : tensor<16x96xf32>
}

// CHECK: #nn.config<gemm, tile = [48, 8], pack = [16, 96], block = [2], fetch = [], unroll = [], sections = [1], steps = []>

// Rows of 9216 bytes lie in four sets, and their sections in others.

func.func @blocks_apart(%x: tensor<16x2304xf32>) -> tensor<16x576xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<2304x576xf32>>
  %y = nn.kernel(%x, %w) : (tensor<16x2304xf32>, tensor<2304x576xf32>) -> tensor<16x576xf32> {
  ^bb0(%l: tensor<16x2304xf32>, %r: tensor<2304x576xf32>):
    %v = nn.matmul %l, %r : (tensor<16x2304xf32>, tensor<2304x576xf32>) -> tensor<16x576xf32>
    nn.yield %v : tensor<16x576xf32>
  }
  func.return %y : tensor<16x576xf32>
}

// CHECK: #nn.config<gemm, tile = [48, 8], pack = [16, 576], block = [2], fetch = [], unroll = [], sections = [4], steps = [16]>

// Two sections of eight rows are 16 lines.

func.func @sections(%x: tensor<8x4096xf32>) -> tensor<8x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<4096x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<8x4096xf32>, tensor<4096x1024xf32>) -> tensor<8x1024xf32> {
  ^bb0(%l: tensor<8x4096xf32>, %r: tensor<4096x1024xf32>):
    %v = nn.matmul %l, %r : (tensor<8x4096xf32>, tensor<4096x1024xf32>) -> tensor<8x1024xf32>
    nn.yield %v : tensor<8x1024xf32>
  }
  func.return %y : tensor<8x1024xf32>
}

// CHECK: #nn.config<gemm, tile = [48, 8], pack = [16, 1056], block = [1], fetch = [], unroll = [], sections = [1], steps = []>

// Those of four rows take all ways.

func.func @sections_fit(%x: tensor<4x4096xf32>) -> tensor<4x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<4096x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<4x4096xf32>, tensor<4096x1024xf32>) -> tensor<4x1024xf32> {
  ^bb0(%l: tensor<4x4096xf32>, %r: tensor<4096x1024xf32>):
    %v = nn.matmul %l, %r : (tensor<4x4096xf32>, tensor<4096x1024xf32>) -> tensor<4x1024xf32>
    nn.yield %v : tensor<4x1024xf32>
  }
  func.return %y : tensor<4x1024xf32>
}

// CHECK: #nn.config<gemm, tile = [64, 4], pack = [16, 1024], block = [1], fetch = [], unroll = [], sections = [2], steps = []>
