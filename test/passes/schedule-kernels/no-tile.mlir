// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --convert-nn-to-halide --schedule-kernels 2>&1 | filecheck %s

// A schedule is that of the knobs of the config: without any, a kernel is not lowered.

func.func @f(%x: tensor<1x8xf32>, %m: tensor<8x5xf32>) -> tensor<1x5xf32> {
  %y = nn.kernel(%x, %m) {config = #nn.config<gemv>} : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32> {
  ^bb0(%i: tensor<1x8xf32>, %j: tensor<8x5xf32>):
    %a = nn.matmul %i, %j : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32>
    nn.yield %a : tensor<1x5xf32>
  }
  func.return %y : tensor<1x5xf32>
}

// CHECK: error: 'nn.kernel' op kernel 'y': knob tile is missing, found #nn.config<gemv> [config_c5]
