// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --pack-weights --fold-nn-constants | filecheck %s

// Codes, scales and zero points are packed in the tiles of one row, for several rows, too.

func.func @f(%x: tensor<1x32xf32>, %y: tensor<5x32xf32>) -> (tensor<1x70xf32>, tensor<5x70xf32>) {
  %w = nn.constant #nn.dense<1 : tensor<2x8x70xui8>>
  %s = nn.constant #nn.dense<1.0 : tensor<2x70xf32>>
  %z = nn.constant #nn.dense<1 : tensor<2x70xui8>>
  %o = nn.constant #nn.dense<8 : tensor<ui8>>
  %a = nn.kernel(%x, %w, %s, %z) : (tensor<1x32xf32>, tensor<2x8x70xui8>, tensor<2x70xf32>, tensor<2x70xui8>) -> tensor<1x70xf32> {
  ^bb0(%l: tensor<1x32xf32>, %c: tensor<2x8x70xui8>, %t: tensor<2x70xf32>, %p: tensor<2x70xui8>):
    %v = nn.scaled_matmul %l, %c, %t, %p {block = 16 : i64} : (tensor<1x32xf32>, tensor<2x8x70xui8>, tensor<2x70xf32>, tensor<2x70xui8>) -> tensor<1x70xf32>
    nn.yield %v : tensor<1x70xf32>
  }
  %b = nn.kernel(%y, %w, %s, %o) : (tensor<5x32xf32>, tensor<2x8x70xui8>, tensor<2x70xf32>, tensor<ui8>) -> tensor<5x70xf32> {
  ^bb0(%l: tensor<5x32xf32>, %c: tensor<2x8x70xui8>, %t: tensor<2x70xf32>, %p: tensor<ui8>):
    %v = nn.scaled_matmul %l, %c, %t, %p {block = 16 : i64} : (tensor<5x32xf32>, tensor<2x8x70xui8>, tensor<2x70xf32>, tensor<ui8>) -> tensor<5x70xf32>
    nn.yield %v : tensor<5x70xf32>
  }
  func.return %a, %b : tensor<1x70xf32>, tensor<5x70xf32>
}

// CHECK: config = #nn.config<scaled, tile = [64, 1], widen = [], pack = [64]>
// CHECK: nn.scaled_matmul %l, %c, %t, %p {block = 16 : i64, columns = 70 : i64} : (tensor<1x32xf32>, tensor<2x2x8x64xui8>, tensor<2x2x64xf32>, tensor<2x2x64xui8>) -> tensor<1x70xf32>
// CHECK: config = #nn.config<scaled, tile = [32, 5], widen = [], pack = [64]>
// CHECK: {block = 16 : i64, columns = 70 : i64} : (tensor<5x32xf32>, tensor<2x2x8x64xui8>, tensor<2x2x64xf32>, tensor<ui8>) -> tensor<5x70xf32>
