// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda --place-kernels --configure-kernels --pack-weights --convert-nn-to-halide --schedule-kernels | filecheck %s

// Four neighbours are multiplied and added up at once. No part for the border of an image is made.

func.func @main(%x: tensor<1x5x5x8xi8>) -> tensor<1x5x5x6xi32> {
  %w = nn.constant #nn.dense<1 : tensor<3x3x8x6xi8>>
  %y = nn.kernel(%x, %w) : (tensor<1x5x5x8xi8>, tensor<3x3x8x6xi8>) -> tensor<1x5x5x6xi32> {
  ^bb0(%i: tensor<1x5x5x8xi8>, %j: tensor<3x3x8x6xi8>):
    %r = nn.conv %i, %j {pads = array<i64: 1, 1, 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x5x5x8xi8>, tensor<3x3x8x6xi8>) -> tensor<1x5x5x6xi32>
    nn.yield %r : tensor<1x5x5x6xi32>
  }
  func.return %y : tensor<1x5x5x6xi32>
}

// CHECK-NOT:  "staged"
// CHECK:      halide.load %in1[%{{.*}}, %c_2, %{{.*}}, %kx, %ky] : !halide.buffer<i8, [4, 6, 2, 3, 3]> to i8
// CHECK:      halide.split %conv "ci" to "ci", "dot" by 4 {stage = 1 : i64}
// CHECK-NEXT: halide.reorder %conv ["dot", "c", "x", "ci", "kx", "ky", "y", "n"] {stage = 1 : i64}
// CHECK-NEXT: halide.atomic %conv {stage = 1 : i64}
// CHECK-NEXT: halide.vectorize %conv "dot" {stage = 1 : i64}
// CHECK-NEXT: halide.partition %conv "ci" never {stage = 1 : i64}
// CHECK-NEXT: halide.partition %conv "kx" never {stage = 1 : i64}
// CHECK-NEXT: halide.partition %conv "ky" never {stage = 1 : i64}
