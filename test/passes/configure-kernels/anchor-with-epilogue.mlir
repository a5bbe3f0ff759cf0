// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// The anchor decides, whatever else the kernel computes.

func.func @f(%x: tensor<1x8xf32>, %m: tensor<8x5xf32>) -> tensor<1x5xf32> {
  %y = nn.kernel(%x, %m) : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32> {
  ^bb0(%i: tensor<1x8xf32>, %j: tensor<8x5xf32>):
    %a = nn.matmul %i, %j : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32>
    %b = nn.exp %a : (tensor<1x5xf32>) -> tensor<1x5xf32>
    nn.yield %b : tensor<1x5xf32>
  }
  func.return %y : tensor<1x5xf32>
}

// CHECK:        %y = nn.kernel(%x, %m) {config = #nn.config<gemv{{.*}}>} : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32> {
