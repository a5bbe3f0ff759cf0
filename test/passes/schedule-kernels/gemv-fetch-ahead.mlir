// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=8M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NONE
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NONE

// Weights that come from memory are fetched some lines ahead in each of four runs that are read
// side by side. A sum of 1024 products is one of two runs.

func.func @f(%a: tensor<1x1024xf32>, %b: tensor<64x1024x16xf32>) -> tensor<1x1024xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemv>} : (tensor<1x1024xf32>, tensor<64x1024x16xf32>) -> tensor<1x1024xf32> {
  ^bb0(%l: tensor<1x1024xf32>, %r: tensor<64x1024x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<1x1024xf32>, tensor<64x1024x16xf32>) -> tensor<1x1024xf32>
    nn.yield %v : tensor<1x1024xf32>
  }
  func.return %y : tensor<1x1024xf32>
}

// CHECK:      halide.split %out "x" to "no", "nt" by 64 : !halide.func<f32, 2>
// CHECK:      halide.split %run "k" to "kb", "kt" by 1 {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK-NEXT: halide.prefetch_line %run "kb" of %in1 at affine_map<(d0, d1, d2, d3) -> (0, ((((d2 * 512) + d3) floordiv 1) + 32), ((d0 floordiv 64) * 4))> {stage = 1 : i64}
// CHECK-NEXT: halide.prefetch_line %run "kb" of %in1 at affine_map<(d0, d1, d2, d3) -> (0, ((((d2 * 512) + d3) floordiv 1) + 32), (((d0 floordiv 64) * 4) + 1))> {stage = 1 : i64}
// NONE-NOT:   halide.prefetch_line
// NONE:       halide.unroll %run "k" by 4 {stage = 1 : i64} : !halide.func<f32, 3>
