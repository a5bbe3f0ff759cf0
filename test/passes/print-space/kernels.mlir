// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --print-space | filecheck %s

// Of each kernel the config, the templates that are for it, and the values of their knobs.

func.func @f(%x: tensor<1x1x3x8xf32>, %r: tensor<1x4xf32>, %m: tensor<4x8xf32>) -> (tensor<1x1x3x16xf32>, tensor<1x8xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<1x1x8x16xf32>>
  %conv = nn.kernel(%x, %w) : (tensor<1x1x3x8xf32>, tensor<1x1x8x16xf32>) -> tensor<1x1x3x16xf32> {
  ^bb0(%i: tensor<1x1x3x8xf32>, %k: tensor<1x1x8x16xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x1x3x8xf32>, tensor<1x1x8x16xf32>) -> tensor<1x1x3x16xf32>
    nn.yield %v : tensor<1x1x3x16xf32>
  }
  %row = nn.kernel(%r, %m) : (tensor<1x4xf32>, tensor<4x8xf32>) -> tensor<1x8xf32> {
  ^bb0(%i: tensor<1x4xf32>, %j: tensor<4x8xf32>):
    %a = nn.matmul %i, %j : (tensor<1x4xf32>, tensor<4x8xf32>) -> tensor<1x8xf32>
    nn.yield %a : tensor<1x8xf32>
  }
  func.return %conv, %row : tensor<1x1x3x16xf32>, tensor<1x8xf32>
}

// CHECK:      // %conv of nn.conv: #nn.config<direct_conv, tile = [16, 3], pack = [16], order = [x, c, y], unroll = [4]>
// CHECK-NEXT: //   direct_conv
// CHECK-NEXT: //     tile: [8, 1], [8, 2], [8, 3], [16, 1], [16, 2], [16, 3]
// CHECK-NEXT: //     pack: [], [8], [16]
// CHECK-NEXT: //     order: [x, y, c], [x, c, y]
// CHECK-NEXT: //     unroll: [], [2], [4], [8]
// CHECK-NEXT: //   plain
// CHECK-NEXT: //     vector: [16], [32]
// CHECK-NEXT: // %row of nn.matmul: #nn.config<gemv, tile = [8], unroll = [4]>
// CHECK-NEXT: //   gemv
// CHECK-NEXT: //     tile: [1], [2], [4], [8]
// CHECK-NEXT: //     unroll: [1], [2], [4]
// CHECK-NEXT: //   plain
// CHECK-NEXT: //     vector: [16], [32]
