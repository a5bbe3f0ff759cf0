// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda --place-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A thread reads four neighbours of each row of the left-hand side by one load, and then sums up four steps.

func.func @main(%x: tensor<7x12xf32>, %w: tensor<12x8xf32>) -> tensor<7x8xf32> {
  %y = nn.kernel(%x, %w) : (tensor<7x12xf32>, tensor<12x8xf32>) -> tensor<7x8xf32> {
  ^bb0(%i: tensor<7x12xf32>, %j: tensor<12x8xf32>):
    %r = nn.matmul %i, %j : (tensor<7x12xf32>, tensor<12x8xf32>) -> tensor<7x8xf32>
    nn.yield %r : tensor<7x8xf32>
  }
  func.return %y : tensor<7x8xf32>
}

// CHECK:      %staged = halide.func "staged"(x %x, y %y) in [12, 7] : f32 {
// CHECK-NEXT: %0 = halide.load %in0[%x, %y]
// CHECK:      halide.update %matmul(x %x_2, y %y_2) over (k %k in 0 to 12)
// CHECK:      halide.load %staged[%k, %y_2]
// CHECK:      halide.split %matmul "k" to "ko", "ks" by 4 {stage = 1 : i64}
// CHECK-NEXT: halide.unroll %matmul "ks" {stage = 1 : i64}
// CHECK-NEXT: halide.compute_at %staged at %matmul "ko"
// CHECK-NEXT: halide.bound_extent %staged "x" extent 4
// CHECK-NEXT: halide.vectorize %staged "x"
// CHECK-NEXT: halide.unroll %staged "y"
// CHECK-NEXT: halide.reorder %matmul ["x", "y", "ks", "ko"] {stage = 1 : i64}
