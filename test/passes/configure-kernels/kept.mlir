// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// A config that is there stays, also where the rules would choose another template.

func.func @f(%x: tensor<1x8xf32>, %m: tensor<8x5xf32>) -> tensor<1x5xf32> {
  %y = nn.kernel(%x, %m) {config = #nn.config<plain>} : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32> {
  ^bb0(%i: tensor<1x8xf32>, %j: tensor<8x5xf32>):
    %a = nn.matmul %i, %j : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32>
    nn.yield %a : tensor<1x5xf32>
  }
  func.return %y : tensor<1x5xf32>
}

// CHECK:        %y = nn.kernel(%x, %m) {config = #nn.config<plain, vector = [32]>}
