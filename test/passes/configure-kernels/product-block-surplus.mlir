// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M --configure-kernels | filecheck %s

// 131 tiles of rows would fetch each line of the next tile of columns more than four times. So they are blocks that
// the second-level cache holds, although those do not divide the tiles.

func.func @many_tiles(%x: tensor<784x512xf32>) -> tensor<784x256xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<512x256xf32>>
  %y = nn.kernel(%x, %w) : (tensor<784x512xf32>, tensor<512x256xf32>) -> tensor<784x256xf32> {
  ^bb0(%l: tensor<784x512xf32>, %r: tensor<512x256xf32>):
    %v = nn.matmul %l, %r : (tensor<784x512xf32>, tensor<512x256xf32>) -> tensor<784x256xf32>
    nn.yield %v : tensor<784x256xf32>
  }
  func.return %y : tensor<784x256xf32>
}

// CHECK: #nn.config<gemm, tile = [16, 6], pack = [8, 256], block = [33], fetch = [32, rhs], unroll = [8]>

// 65 tiles may fetch as one block.

func.func @fewer_tiles(%x: tensor<388x512xf32>) -> tensor<388x256xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<512x256xf32>>
  %y = nn.kernel(%x, %w) : (tensor<388x512xf32>, tensor<512x256xf32>) -> tensor<388x256xf32> {
  ^bb0(%l: tensor<388x512xf32>, %r: tensor<512x256xf32>):
    %v = nn.matmul %l, %r : (tensor<388x512xf32>, tensor<512x256xf32>) -> tensor<388x256xf32>
    nn.yield %v : tensor<388x256xf32>
  }
  func.return %y : tensor<388x256xf32>
}

// CHECK: #nn.config<gemm, tile = [16, 6], pack = [8, 256], block = [65], fetch = [32, rhs], unroll = [8]>
