// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// The inner axis stays whole where tiles of rows leave a tail, which would be added up twice; where
// there are many tiles of rows, so that the first one matters little; and where blocks leave a tail.

func.func @f(%a: tensor<47x512xf32>, %b: tensor<128x512x16xf32>, %c: tensor<196x512xf32>, %d: tensor<49x500xf32>, %e: tensor<129x500x16xf32>) -> (tensor<47x2048xf32>, tensor<196x2048xf32>, tensor<49x2048xf32>) {
  %x = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<47x512xf32>, tensor<128x512x16xf32>) -> tensor<47x2048xf32> {
  ^bb0(%l: tensor<47x512xf32>, %r: tensor<128x512x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<47x512xf32>, tensor<128x512x16xf32>) -> tensor<47x2048xf32>
    nn.yield %v : tensor<47x2048xf32>
  }
  %y = nn.kernel(%c, %b) {config = #nn.config<gemm>} : (tensor<196x512xf32>, tensor<128x512x16xf32>) -> tensor<196x2048xf32> {
  ^bb0(%l: tensor<196x512xf32>, %r: tensor<128x512x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<196x512xf32>, tensor<128x512x16xf32>) -> tensor<196x2048xf32>
    nn.yield %v : tensor<196x2048xf32>
  }
  %z = nn.kernel(%d, %e) {config = #nn.config<gemm>} : (tensor<49x500xf32>, tensor<129x500x16xf32>) -> tensor<49x2048xf32> {
  ^bb0(%l: tensor<49x500xf32>, %r: tensor<129x500x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 2048>} : (tensor<49x500xf32>, tensor<129x500x16xf32>) -> tensor<49x2048xf32>
    nn.yield %v : tensor<49x2048xf32>
  }
  func.return %x, %y, %z : tensor<47x2048xf32>, tensor<196x2048xf32>, tensor<49x2048xf32>
}

// CHECK-NOT: "mo", "kb"
// CHECK:     halide.split %out "y" to "mo", "mt"
// CHECK-NOT: "mo", "kb"
// CHECK:     halide.split %out "y" to "mo", "mt"
// CHECK-NOT: "mo", "kb"
// CHECK:     halide.split %out "y" to "mo", "mt"
// CHECK-NOT: "mo", "kb"
