// RUN: autodeploy-opt --fold-nn-constants %s | filecheck %s

// CHECK-LABEL: @small
// CHECK-NEXT: nn.constant #nn.dense<[1.0, 2.0, 1.0, 2.0] : tensor<2x2xf32>>
func.func @small() -> tensor<2x2xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
  %0 = nn.broadcast %c : (tensor<2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// It would swell the weights.
// CHECK-LABEL: @large
// CHECK: nn.broadcast
func.func @large() -> tensor<100000x2xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
  %0 = nn.broadcast %c : (tensor<2xf32>) -> tensor<100000x2xf32>
  func.return %0 : tensor<100000x2xf32>
}
