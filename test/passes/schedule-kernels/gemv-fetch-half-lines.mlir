// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Vectors of 8 floats are half a line of the cache: a line is fetched in two steps.

func.func @f(%a: tensor<1x1024xf32>, %b: tensor<128x1024x8xf32>) -> tensor<1x1024xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemv>} : (tensor<1x1024xf32>, tensor<128x1024x8xf32>) -> tensor<1x1024xf32> {
  ^bb0(%l: tensor<1x1024xf32>, %r: tensor<128x1024x8xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 8>} : (tensor<1x1024xf32>, tensor<128x1024x8xf32>) -> tensor<1x1024xf32>
    nn.yield %v : tensor<1x1024xf32>
  }
  func.return %y : tensor<1x1024xf32>
}

// CHECK:      halide.split %run "k" to "kb", "kt" by 2 {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK-NEXT: halide.prefetch_line %run "kb" of %in1 at affine_map<(d0, d1, d2, d3) -> (0, (((((d2 * 512) + d3) floordiv 2) * 2) + 64), ((d0 floordiv 32) * 4))>
// CHECK:      halide.unroll %run "kt" {stage = 1 : i64} : !halide.func<f32, 3>
