// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// The squares of some pixels ahead, with a margin of whole vectors; sums in registers.

func.func @f(%x: tensor<1x5x12x24xf32>) -> tensor<1x5x12x24xf32> {
  %y = nn.lrn %x {size = 5 : i64, alpha = 2.0 : f64, beta = 0.75 : f64, bias = 1.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x5x12x24xf32>) -> tensor<1x5x12x24xf32>
  func.return %y : tensor<1x5x12x24xf32>
}

// CHECK: halide.pipeline @lrn_0
// CHECK: halide.schedule {
// CHECK-NEXT: halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// CHECK-NEXT: halide.split %out "x" to "xo", "xt" by 6 : !halide.func<f32, 4>
// CHECK-NEXT: halide.reorder %out ["ct", "co", "xt", "xo", "y", "n"] : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %out "ct" : !halide.func<f32, 4>
// CHECK-NEXT: halide.compute_at %squares at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %squares "c" by 8 : !halide.func<f32, 4>
// CHECK-NEXT: halide.compute_at %square_sum at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %square_sum "c" by 8 : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %square_sum "c" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %square_sum "k" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: }
