// RUN: not autodeploy-opt %s --convert-nn-to-halide 2>&1 | filecheck %s
// RUN: not autodeploy-opt %s --pack-weights 2>&1 | filecheck %s

// CHECK: error: the module does not say what machine it is for

// Whether knobs fit depends on the machine.

builtin.module {
  func.func @machine(%x: tensor<64x60xf32>) -> tensor<64x60xf32> {
    %y = nn.kernel(%x) {config = #nn.config<plain, vector = [32], unroll = [2]>} : (tensor<64x60xf32>) -> tensor<64x60xf32> {
    ^bb0(%i: tensor<64x60xf32>):
      %v = nn.exp %i : (tensor<64x60xf32>) -> tensor<64x60xf32>
      nn.yield %v : tensor<64x60xf32>
    }
    func.return %y : tensor<64x60xf32>
  }
}
