// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX512
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=AVX2

// Of a padded right-hand side every tile of sums is whole; what is beyond the columns is not stored.
// The bias, which is not padded, is added where the sums are stored.

func.func @f(%a: tensor<49x8xf32>, %b: tensor<2x8x16xf32>, %bias: tensor<24xf32>) -> tensor<49x24xf32> {
  %y = nn.kernel(%a, %b, %bias) {config = #nn.config<gemm>} : (tensor<49x8xf32>, tensor<2x8x16xf32>, tensor<24xf32>) -> tensor<49x24xf32> {
  ^bb0(%l: tensor<49x8xf32>, %r: tensor<2x8x16xf32>, %c: tensor<24xf32>):
    %v = nn.matmul %l, %r, %c {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 24>} : (tensor<49x8xf32>, tensor<2x8x16xf32>, tensor<24xf32>) -> tensor<49x24xf32>
    nn.yield %v : tensor<49x24xf32>
  }
  func.return %y : tensor<49x24xf32>
}

// AVX512:      %matmul = halide.func "matmul"
// AVX512-NEXT:   halide.const 0.0
// AVX512:      %out = halide.func "out"
// AVX512:        halide.load %matmul
// AVX512:        halide.load %in2
// AVX512:      halide.split %out "x" to "no", "nt" by 32 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// AVX512:      halide.compute_at %matmul at %out "mo" : !halide.func<f32, 2> at !halide.func<f32, 2>
// AVX512-NEXT: halide.bound_extent %matmul "x" extent 32 : !halide.func<f32, 2>

// Three vectors of 8 hold 24 columns: nothing is left over.
// AVX2:     halide.split %out "x" to "no", "nt" by {{8|24}} : !halide.func<f32, 2>
// AVX2-NOT: halide.bound_extent
