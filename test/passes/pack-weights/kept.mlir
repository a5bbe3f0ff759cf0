// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --pack-weights | filecheck %s

// What is computed at run time, lies in a stack of matrices, is used twice or is
// empty stays as it is.

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %s: tensor<2x4x8xf32>, %q: tensor<8x8xf32>, %z: tensor<8x0xf32>) -> (tensor<4x16xf32>, tensor<2x4x16xf32>, tensor<8x8xf32>, tensor<4x0xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<2x8x16xf32>>
  %u = nn.constant #nn.dense<1.0 : tensor<8x8xf32>>
  %computed = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%l: tensor<4x8xf32>, %r: tensor<8x16xf32>):
    %v = nn.matmul %l, %r : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    nn.yield %v : tensor<4x16xf32>
  }
  %stack = nn.kernel(%s, %w) {config = #nn.config<gemm>} : (tensor<2x4x8xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32> {
  ^bb0(%l: tensor<2x4x8xf32>, %r: tensor<2x8x16xf32>):
    %v = nn.matmul %l, %r : (tensor<2x4x8xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
    nn.yield %v : tensor<2x4x16xf32>
  }
  %twice = nn.kernel(%q, %u) {config = #nn.config<gemm>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%l: tensor<8x8xf32>, %r: tensor<8x8xf32>):
    %v = nn.matmul %l, %r : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %t = nn.add %v, %r : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    nn.yield %t : tensor<8x8xf32>
  }
  %empty = nn.kernel(%a, %z) {config = #nn.config<gemm>} : (tensor<4x8xf32>, tensor<8x0xf32>) -> tensor<4x0xf32> {
  ^bb0(%l: tensor<4x8xf32>, %r: tensor<8x0xf32>):
    %v = nn.matmul %l, %r : (tensor<4x8xf32>, tensor<8x0xf32>) -> tensor<4x0xf32>
    nn.yield %v : tensor<4x0xf32>
  }
  func.return %computed, %stack, %twice, %empty : tensor<4x16xf32>, tensor<2x4x16xf32>, tensor<8x8xf32>, tensor<4x0xf32>
}

// CHECK-NOT: rhs_layout
// CHECK: nn.matmul %l, %r : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
// CHECK-NOT: rhs_layout
// CHECK: nn.matmul %l, %r : (tensor<2x4x8xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
// CHECK-NOT: rhs_layout
// CHECK: nn.matmul %l, %r : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NOT: rhs_layout
// CHECK: nn.matmul %l, %r : (tensor<4x8xf32>, tensor<8x0xf32>) -> tensor<4x0xf32>
// CHECK-NOT: rhs_layout
