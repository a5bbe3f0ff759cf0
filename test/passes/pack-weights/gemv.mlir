// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --pack-weights --fold-nn-constants | filecheck %s

// The weights of a single row are packed by vectors, and filled up to the four that are read side
// by side; of fewer columns than that, to fewer.

func.func @f(%a: tensor<1x8xf32>) -> (tensor<1x70xf32>, tensor<1x5xf32>) {
  %b = nn.constant #nn.dense<1.0 : tensor<8x70xf32>>
  %c = nn.constant #nn.dense<1.0 : tensor<8x5xf32>>
  %y = nn.kernel(%a, %b) {config = #nn.config<gemv>} : (tensor<1x8xf32>, tensor<8x70xf32>) -> tensor<1x70xf32> {
  ^bb0(%l: tensor<1x8xf32>, %r: tensor<8x70xf32>):
    %v = nn.matmul %l, %r : (tensor<1x8xf32>, tensor<8x70xf32>) -> tensor<1x70xf32>
    nn.yield %v : tensor<1x70xf32>
  }
  %z = nn.kernel(%a, %c) {config = #nn.config<gemv>} : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32> {
  ^bb0(%l: tensor<1x8xf32>, %r: tensor<8x5xf32>):
    %v = nn.matmul %l, %r : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32>
    nn.yield %v : tensor<1x5xf32>
  }
  func.return %y, %z : tensor<1x70xf32>, tensor<1x5xf32>
}

// CHECK: nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 70>} : (tensor<1x8xf32>, tensor<8x8x16xf32>) -> tensor<1x70xf32>
// CHECK: nn.matmul %{{.*}}, %{{.*}} {rhs_layout = #nn.tiled<[1, 0], 1 by 4 of 5>} : (tensor<1x8xf32>, tensor<2x8x4xf32>) -> tensor<1x5xf32>
