// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// CHECK-LABEL: @dead
// CHECK-NEXT: %0 = nn.exp %x
// CHECK-NEXT: func.return %0
func.func @dead(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = nn.constant #nn.dense<2.0 : tensor<f32>>
  %0 = nn.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.mul %0, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = nn.neg %1 : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
