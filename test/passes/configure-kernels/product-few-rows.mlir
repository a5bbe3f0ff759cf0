// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M --configure-kernels | filecheck %s

// Four tiles of 4 rows use one and a half lines of weights a step: one is fetched every two steps, 24 multiply-adds
// of half a line.

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
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1032], block = [4], fetch = [2, rhs], unroll = [2]>

// A single tile of rows has no time to fetch the next tile of columns: it fetches ahead in the streams that it reads.

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
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1032], block = [1], fetch = [2, stream], unroll = [2]>

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
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1032], block = [1], fetch = [2, stream], unroll = [2]>

// Of two tiles the second overhangs seven rows. Both fetch all streams.

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
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1008], block = [2], fetch = [2, stream], unroll = [2]>

// Two tiles would have to fetch the next tile of columns each step, which is too often.

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
// CHECK: #nn.config<gemm, tile = [24, 4], pack = [8, 1032], block = [2], fetch = [2, stream], unroll = [2]>

// Three tiles of rows would fetch each line three times.

func.func @nine(%x: tensor<9x1026xf32>) -> tensor<9x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1026x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<9x1026xf32>, tensor<1026x1024xf32>) -> tensor<9x1024xf32> {
  ^bb0(%l: tensor<9x1026xf32>, %r: tensor<1026x1024xf32>):
    %v = nn.matmul %l, %r : (tensor<9x1026xf32>, tensor<1026x1024xf32>) -> tensor<9x1024xf32>
    nn.yield %v : tensor<9x1024xf32>
  }
  func.return %y : tensor<9x1024xf32>
}

// CHECK: @nine
// CHECK: #nn.config<gemm, {{.*}} fetch = []

// Steps that share no whole number of lines, and a single tile of columns.

func.func @odd(%x: tensor<4x1025xf32>) -> tensor<4x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1025x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<4x1025xf32>, tensor<1025x1024xf32>) -> tensor<4x1024xf32> {
  ^bb0(%l: tensor<4x1025xf32>, %r: tensor<1025x1024xf32>):
    %v = nn.matmul %l, %r : (tensor<4x1025xf32>, tensor<1025x1024xf32>) -> tensor<4x1024xf32>
    nn.yield %v : tensor<4x1024xf32>
  }
  func.return %y : tensor<4x1024xf32>
}

// CHECK: @odd
// CHECK: #nn.config<gemm, {{.*}} fetch = []

func.func @narrow(%x: tensor<4x1024xf32>) -> tensor<4x24xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<1024x24xf32>>
  %y = nn.kernel(%x, %w) : (tensor<4x1024xf32>, tensor<1024x24xf32>) -> tensor<4x24xf32> {
  ^bb0(%l: tensor<4x1024xf32>, %r: tensor<1024x24xf32>):
    %v = nn.matmul %l, %r : (tensor<4x1024xf32>, tensor<1024x24xf32>) -> tensor<4x24xf32>
    nn.yield %v : tensor<4x24xf32>
  }
  func.return %y : tensor<4x24xf32>
}

// CHECK: @narrow
// CHECK: #nn.config<gemm, {{.*}} fetch = []

// Two rows use a line too seldom.

func.func @two(%x: tensor<2x512xf32>) -> tensor<2x1024xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<512x1024xf32>>
  %y = nn.kernel(%x, %w) : (tensor<2x512xf32>, tensor<512x1024xf32>) -> tensor<2x1024xf32> {
  ^bb0(%l: tensor<2x512xf32>, %r: tensor<512x1024xf32>):
    %v = nn.matmul %l, %r : (tensor<2x512xf32>, tensor<512x1024xf32>) -> tensor<2x1024xf32>
    nn.yield %v : tensor<2x1024xf32>
  }
  func.return %y : tensor<2x1024xf32>
}

// CHECK: @two
// CHECK: #nn.config<gemm, {{.*}} fetch = [], unroll = []
