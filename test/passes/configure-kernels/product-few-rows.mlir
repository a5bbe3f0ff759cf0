// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=1M --configure-kernels | filecheck %s --check-prefix=WIDE

// Four tiles of 4 rows use one and a half lines of weights a step: one is fetched every two steps, 24 multiply-adds
// of half a line. Where vectors are whole lines, that is too often, and the inner axis is cut in blocks.

func.func @sixteen(%x: tensor<16x1024xf32>) -> tensor<16x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1024x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<16x1024xf32>, tensor<1024x1024xf32>) -> tensor<16x1024xf32> {
  ^bb0(%l: tensor<16x1024xf32>, %r: tensor<1024x1024xf32>):
    %v = nn.matmul %l, %r : (tensor<16x1024xf32>, tensor<1024x1024xf32>) -> tensor<16x1024xf32>
    nn.yield %v : tensor<16x1024xf32>
  }
  func.return %y : tensor<16x1024xf32>
}

// CHECK: @sixteen
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1032], block = [4], fetch = [2, rhs], unroll = [2], sections = [1], steps = []>
// WIDE: @sixteen
// WIDE: #nn.config<gemm, {{.*}} fetch = [], unroll = [], sections = [4], steps = [16]>

// A single tile of rows has no time to fetch. A short axis is cut in two sections, a long one is not.

func.func @short(%x: tensor<4x512xf32>) -> tensor<4x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<512x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<4x512xf32>, tensor<512x1024xf32>) -> tensor<4x1024xf32> {
  ^bb0(%l: tensor<4x512xf32>, %r: tensor<512x1024xf32>):
    %v = nn.matmul %l, %r : (tensor<4x512xf32>, tensor<512x1024xf32>) -> tensor<4x1024xf32>
    nn.yield %v : tensor<4x1024xf32>
  }
  func.return %y : tensor<4x1024xf32>
}

// CHECK: @short
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1032], block = [1], fetch = [], unroll = [], sections = [2], steps = []>

func.func @long(%x: tensor<4x1024xf32>) -> tensor<4x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1024x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<4x1024xf32>, tensor<1024x1024xf32>) -> tensor<4x1024xf32> {
  ^bb0(%l: tensor<4x1024xf32>, %r: tensor<1024x1024xf32>):
    %v = nn.matmul %l, %r : (tensor<4x1024xf32>, tensor<1024x1024xf32>) -> tensor<4x1024xf32>
    nn.yield %v : tensor<4x1024xf32>
  }
  func.return %y : tensor<4x1024xf32>
}

// CHECK: @long
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1032], block = [1], fetch = [], unroll = [], sections = [1], steps = []>
// WIDE: @long
// WIDE: #nn.config<gemm, {{.*}} fetch = [], unroll = [], sections = [2], steps = []>

// Of two tiles the second overhangs seven rows, which costs more than fetching gains.

func.func @overhang(%x: tensor<7x1152xf32>) -> tensor<7x1000xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1152x1000xf32>>
  %y = nn.kernel(%x, %w) : (tensor<7x1152xf32>, tensor<1152x1000xf32>) -> tensor<7x1000xf32> {
  ^bb0(%l: tensor<7x1152xf32>, %r: tensor<1152x1000xf32>):
    %v = nn.matmul %l, %r : (tensor<7x1152xf32>, tensor<1152x1000xf32>) -> tensor<7x1000xf32>
    nn.yield %v : tensor<7x1000xf32>
  }
  func.return %y : tensor<7x1000xf32>
}

// CHECK: @overhang
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1008], block = [2], fetch = [], unroll = [], sections = [1], steps = []>

// Two tiles would have to fetch each step, which is too often.

func.func @eight(%x: tensor<8x1024xf32>) -> tensor<8x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1024x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<8x1024xf32>, tensor<1024x1024xf32>) -> tensor<8x1024xf32> {
  ^bb0(%l: tensor<8x1024xf32>, %r: tensor<1024x1024xf32>):
    %v = nn.matmul %l, %r : (tensor<8x1024xf32>, tensor<1024x1024xf32>) -> tensor<8x1024xf32>
    nn.yield %v : tensor<8x1024xf32>
  }
  func.return %y : tensor<8x1024xf32>
}

// CHECK: @eight
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1032], block = [2], fetch = [], unroll = [], sections = [1], steps = []>
