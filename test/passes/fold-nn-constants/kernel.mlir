// RUN: autodeploy-opt --fold-nn-constants %s | filecheck %s

// A fusion group keeps its ops.
// CHECK-LABEL: @group
// CHECK: nn.kernel
// CHECK: nn.neg
// CHECK: nn.yield
func.func @group() -> tensor<1xf32> {
  %0 = nn.kernel() : () -> tensor<1xf32> {
    %1 = nn.constant #nn.dense<1.0 : tensor<1xf32>>
    %2 = nn.neg %1 : (tensor<1xf32>) -> tensor<1xf32>
    nn.yield %2 : tensor<1xf32>
  }
  func.return %0 : tensor<1xf32>
}
