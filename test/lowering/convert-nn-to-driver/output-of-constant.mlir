// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// An output that is a constant is a copy of the weight.

func.func @main() -> (tensor<4xf32>, tensor<2x2xf32>) {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<4xf32>>
  %r = nn.reshape %c : (tensor<4xf32>) -> tensor<2x2xf32>
  func.return %c, %r : tensor<4xf32>, tensor<2x2xf32>
}

// CHECK:      ^bb0(%0: memref<4xf32>, %1: memref<2x2xf32>):
// CHECK-NEXT:   %c = driver.weight #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<4xf32>> : memref<4xf32>
// CHECK-NEXT:   driver.copy %c to %0 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.copy %c to %1 : memref<4xf32> to memref<2x2xf32>
// CHECK-NEXT: }
