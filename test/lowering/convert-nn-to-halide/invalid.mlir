// RUN: autodeploy-opt %s --convert-nn-to-halide --verify-diagnostics

// Only single numbers stand inside a kernel.

func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %y = nn.kernel(%x) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%i: tensor<2xf32>):
    // expected-error@+1 {{'nn.constant' op (node 'Add_1') inside a kernel must be a single number, found tensor<2xf32>; larger ones are operands of the kernel}}
    %c = nn.constant #nn.dense<"0x0000803F00000040" : tensor<2xf32>> loc("Add_1")
    %v = nn.add %i, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    nn.yield %v : tensor<2xf32>
  }
  func.return %y : tensor<2xf32>
}
