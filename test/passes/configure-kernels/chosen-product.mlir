// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=4 --configure-kernels --pack-weights --fold-nn-constants | filecheck %s --check-prefix=PACKED
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=4 --configure-kernels --pack-weights --fold-nn-constants --convert-nn-to-halide --schedule-kernels | filecheck %s

// Weights are packed, and the product is scheduled, by the knobs that are written down.

func.func @f(%x: tensor<60x64xf32>) -> tensor<60x96xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<64x96xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<gemm, tile = [32, 5], pack = [8, 96], block = [4], parallel = [blocks], group = [1], fetch = [4]>} : (tensor<60x64xf32>, tensor<64x96xf32>) -> tensor<60x96xf32> {
  ^bb0(%l: tensor<60x64xf32>, %r: tensor<64x96xf32>):
    %v = nn.matmul %l, %r : (tensor<60x64xf32>, tensor<64x96xf32>) -> tensor<60x96xf32>
    nn.yield %v : tensor<60x96xf32>
  }
  func.return %y : tensor<60x96xf32>
}

// PACKED: nn.kernel({{.*}}) {config = #nn.config<gemm, tile = [32, 5], pack = [8, 96], block = [4], parallel = [blocks], group = [1], fetch = [4]>} : (tensor<60x64xf32>, tensor<12x64x8xf32>)
// CHECK:      halide.split %out "x" to "no", "nt" by 32
// CHECK:      halide.split %out "y" to "mo", "mt" by 5
// CHECK-NEXT: halide.split %out "mo" to "mb", "mo" by 4
// CHECK-NEXT: halide.parallel %out "mb"
// CHECK:      halide.split %matmul "k" to "kb", "kt" by 4
// CHECK-NEXT: halide.prefetch_line %matmul "kb" of %in1
