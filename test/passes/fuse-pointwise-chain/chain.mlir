// RUN: autodeploy-opt %s --fuse-pointwise-chain | filecheck %s

// A chain of pointwise ops becomes one kernel.

func.func @chain(%x: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %a = nn.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %b = nn.mul %a, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %c = nn.sub %z, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %c : tensor<8xf32>
}

// CHECK:      func.func @chain(%x: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %c = nn.kernel(%x, %z) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<8xf32>, %z_1: tensor<8xf32>):
// CHECK-NEXT:     %a = nn.exp %x_1 : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     %half = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:     %b = nn.mul %a, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT:     %c_1 = nn.sub %z_1, %b : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     nn.yield %c_1 : tensor<8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %c : tensor<8xf32>
// CHECK-NEXT: }
