// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// An output that is an input, or a reshape of one, is a copy of it.

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %r = nn.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>
  func.return %x, %r : tensor<4xf32>, tensor<2x2xf32>
}

// CHECK:      ^bb0(%x: memref<4xf32>, %0: memref<4xf32>, %1: memref<2x2xf32>):
// CHECK-NEXT:   driver.copy %x to %0 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.copy %x to %1 : memref<4xf32> to memref<2x2xf32>
// CHECK-NEXT: }
