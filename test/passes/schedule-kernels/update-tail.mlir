// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --configure-kernels=plain=true --convert-nn-to-halide --schedule-kernels | filecheck %s

// Blocks of 10 sums have vectors of 8: the update must not reach over the end, where it would read
// operands behind theirs, and cannot move its last vector inwards, where it would add twice.

func.func @f(%x: tensor<100x3xf32>) -> tensor<100x3xf32> {
  %t = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<100x3xf32>) -> tensor<3x100xf32>
  %y = nn.cumsum %t {axis = 1 : i64, reverse = true} : (tensor<3x100xf32>) -> tensor<3x100xf32>
  %z = nn.transpose %y {permutation = array<i64: 1, 0>} : (tensor<3x100xf32>) -> tensor<100x3xf32>
  func.return %z : tensor<100x3xf32>
}

// A row of 12 maxima that every row of the result reads: the same.

func.func @columns(%x: tensor<5x12xf32>) -> tensor<5x12xf32> {
  %y = nn.softmax %x {axis = 0 : i64} : (tensor<5x12xf32>) -> tensor<5x12xf32>
  func.return %y : tensor<5x12xf32>
}

// CHECK: halide.pipeline @cumsum_0
// CHECK: halide.compute_at %block at %out "y"
// CHECK-NEXT: halide.split %block "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>}
// CHECK-NEXT: halide.vectorize %block "xi" : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %block "x" to "xo", "xi" by 8 {tail = #halide<tail guard_with_if>, stage = 1 : i64}
// CHECK-NEXT: halide.vectorize %block "xi" {stage = 1 : i64}

// CHECK: halide.pipeline @softmax_1
// CHECK: halide.compute_root %largest
// CHECK-NEXT: halide.split %largest "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>}
// CHECK-NEXT: halide.vectorize %largest "xi" : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %largest "x" to "xo", "xi" by 8 {tail = #halide<tail guard_with_if>, stage = 1 : i64}
// CHECK-NEXT: halide.vectorize %largest "xi" {stage = 1 : i64}
