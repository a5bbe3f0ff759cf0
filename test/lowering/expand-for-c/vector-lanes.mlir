// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels --expand-for-c | filecheck %s

// Vectors have a power of two of lanes; the others of a row of the tile are unrolled.

func.func @f(%a: tensor<48x40xf32>, %b: tensor<40x96xf32>) -> tensor<48x96xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm, tile = [24, 4], epilogue = [row]>} : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32> {
  ^bb0(%a_: tensor<48x40xf32>, %b_: tensor<40x96xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32>
    %s = nn.swish %v : (tensor<48x96xf32>) -> tensor<48x96xf32>
    nn.yield %s : tensor<48x96xf32>
  }
  func.return %y : tensor<48x96xf32>
}

// CHECK:      halide.vectorize %out "nt" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "nt" : !halide.func<f32, 2>
