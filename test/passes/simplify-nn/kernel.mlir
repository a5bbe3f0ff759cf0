// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// A fusion group keeps its ops: without the reshape it would hold none.
// CHECK-LABEL: @group
// CHECK: nn.kernel
// CHECK: nn.reshape
// CHECK: nn.yield
func.func @group(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = nn.reshape %a : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %1 : tensor<4xf32>
  }
  func.return %0 : tensor<4xf32>
}
