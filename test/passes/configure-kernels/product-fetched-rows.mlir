// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=2M:cores=2 --configure-kernels | filecheck %s

// The first product fetches the next block of its rows. A line would be in time every 4 steps, but 112
// multiply-adds side by side are too many: it fetches every 2 steps. The other one fetches weights
// alone, every 8 steps.

func.func @f(%x: tensor<3136x224xf32>, %l: tensor<384x3072xf32>) -> (tensor<3136x128xf32>, tensor<384x768xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<224x128xf32>>
  %y = nn.kernel(%x, %w) : (tensor<3136x224xf32>, tensor<224x128xf32>) -> tensor<3136x128xf32> {
  ^bb0(%a: tensor<3136x224xf32>, %b: tensor<224x128xf32>):
    %v = nn.matmul %a, %b : (tensor<3136x224xf32>, tensor<224x128xf32>) -> tensor<3136x128xf32>
    nn.yield %v : tensor<3136x128xf32>
  }
  %s = nn.constant #nn.dense<1.0 : tensor<3072x768xf32>>
  %z = nn.kernel(%l, %s) : (tensor<384x3072xf32>, tensor<3072x768xf32>) -> tensor<384x768xf32> {
  ^bb0(%a: tensor<384x3072xf32>, %b: tensor<3072x768xf32>):
    %v = nn.matmul %a, %b : (tensor<384x3072xf32>, tensor<3072x768xf32>) -> tensor<384x768xf32>
    nn.yield %v : tensor<384x768xf32>
  }
  func.return %y, %z : tensor<3136x128xf32>, tensor<384x768xf32>
}

// CHECK: #nn.config<gemm, {{.*}} fetch = [2, lhs], unroll = [2]
// CHECK: #nn.config<gemm, {{.*}} fetch = [8, rhs], unroll = [4]
