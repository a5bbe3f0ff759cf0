// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-sse41 --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels | filecheck %s

// Where constants have registers, or instructions read them from memory, or vectors are short, the
// ops behind sums take a vector at a time.

func.func @f(%a: tensor<48x40xf32>, %b: tensor<40x96xf32>) -> tensor<48x96xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32> {
  ^bb0(%a_: tensor<48x40xf32>, %b_: tensor<40x96xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32>
    %s = nn.swish %v : (tensor<48x96xf32>) -> tensor<48x96xf32>
    nn.yield %s : tensor<48x96xf32>
  }
  func.return %y : tensor<48x96xf32>
}

// CHECK-NOT: epilogue
// CHECK:     config = #nn.config<gemm, tile = 
// CHECK-NOT: epilogue
// CHECK:     nn.yield
