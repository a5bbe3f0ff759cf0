// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --pack-weights 2>&1 | filecheck %s

// Only constants are packed: a config that says otherwise does not fit.

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm, pack = [16, 16]>} : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%l: tensor<4x8xf32>, %r: tensor<8x16xf32>):
    %v = nn.matmul %l, %r : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
    nn.yield %v : tensor<4x16xf32>
  }
  func.return %y : tensor<4x16xf32>
}

// CHECK: error: template gemm has no knob 'pack' here; known are tile, block [config_c2]
