// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --pack-weights --fold-nn-constants | filecheck %s

// Tiles of 2 x 8 columns have room for two more than the 30 that there are: a quarter has 15, with one to fill it up.

func.func @f(%x: tensor<5x2xf32>) -> tensor<5x30xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<2x30xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<strassen, parts = [2, 2], tile = [8, 2], block = [1], fetch = []>} : (tensor<5x2xf32>, tensor<2x30xf32>) -> tensor<5x30xf32> {
  ^bb0(%x_: tensor<5x2xf32>, %w_: tensor<2x30xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<5x2xf32>, tensor<2x30xf32>) -> tensor<5x30xf32>
    nn.yield %v : tensor<5x30xf32>
  }
  func.return %y : tensor<5x30xf32>
}

// CHECK: nn.matmul %x_, %w_ {rhs_layout = #nn.tiled<[2, 0, 1], 2 by 8 of 15>, strassen = array<i64: 2, 2>} : (tensor<5x2xf32>, tensor<2x7x1x8xf32>) -> tensor<5x30xf32>
