// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=NEAR
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=96K --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=FAR

// A right-hand side that stays in the second-level cache is read for four tiles of rows at a time;
// a larger one for as many as the cache holds.

func.func @f(%a: tensor<396x64xf32>, %b: tensor<16x64x16xf32>) -> tensor<396x256xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<396x64xf32>, tensor<16x64x16xf32>) -> tensor<396x256xf32> {
  ^bb0(%l: tensor<396x64xf32>, %r: tensor<16x64x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<396x64xf32>, tensor<16x64x16xf32>) -> tensor<396x256xf32>
    nn.yield %v : tensor<396x256xf32>
  }
  func.return %y : tensor<396x256xf32>
}

// NEAR:      halide.split %out "y" to "mo", "mt" by 6 : !halide.func<f32, 2>
// NEAR-NEXT: halide.split %out "mo" to "mb", "mo" by 4 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// NEAR-NEXT: halide.reorder %out ["nt", "mt", "mo", "no", "mb"] : !halide.func<f32, 2>

// FAR:      halide.split %out "y" to "mo", "mt" by 6 : !halide.func<f32, 2>
// FAR-NEXT: halide.split %out "mo" to "mb", "mo" by 22 : !halide.func<f32, 2>
// FAR-NEXT: halide.reorder %out ["nt", "mt", "mo", "no", "mb"] : !halide.func<f32, 2>
