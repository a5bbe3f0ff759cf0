// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A product of no rows has no tiles of rows to put in blocks.

func.func @f(%a: tensor<0x8xf32>, %b: tensor<8x16xf32>) -> tensor<0x16xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<0x8xf32>, tensor<8x16xf32>) -> tensor<0x16xf32> {
  ^bb0(%l: tensor<0x8xf32>, %r: tensor<8x16xf32>):
    %v = nn.matmul %l, %r : (tensor<0x8xf32>, tensor<8x16xf32>) -> tensor<0x16xf32>
    nn.yield %v : tensor<0x16xf32>
  }
  func.return %y : tensor<0x16xf32>
}

// CHECK:     halide.split %out "y" to "mo", "mt" by 1 : !halide.func<f32, 2>
// CHECK-NOT: "mb"
