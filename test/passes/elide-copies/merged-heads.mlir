// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver --elide-copies %s | filecheck %s

// Heads are split by a view. They are merged by a copy, which their producer makes unnecessary: it
// writes each head's vectors where they belong in the row.

func.func @main(%x: tensor<5x24xf32>) -> tensor<5x24xf32> {
  %apart = nn.reshape %x : (tensor<5x24xf32>) -> tensor<5x3x8xf32>
  %heads = nn.transpose %apart {permutation = array<i64: 1, 0, 2>} : (tensor<5x3x8xf32>) -> tensor<3x5x8xf32>
  %y = nn.kernel(%heads) : (tensor<3x5x8xf32>) -> tensor<3x5x8xf32> {
  ^bb0(%i: tensor<3x5x8xf32>):
    %r = nn.relu %i : (tensor<3x5x8xf32>) -> tensor<3x5x8xf32>
    nn.yield %r : tensor<3x5x8xf32>
  }
  %back = nn.transpose %y {permutation = array<i64: 1, 0, 2>} : (tensor<3x5x8xf32>) -> tensor<5x3x8xf32>
  %rows = nn.reshape %back : (tensor<5x3x8xf32>) -> tensor<5x24xf32>
  %z = nn.kernel(%rows) : (tensor<5x24xf32>) -> tensor<5x24xf32> {
  ^bb0(%i: tensor<5x24xf32>):
    %r = nn.abs %i : (tensor<5x24xf32>) -> tensor<5x24xf32>
    nn.yield %r : tensor<5x24xf32>
  }
  func.return %z : tensor<5x24xf32>
}

// CHECK:      ^bb0(%x: memref<5x24xf32>, %z: memref<5x24xf32>):
// CHECK-NEXT:   %heads = driver.view %x : memref<5x24xf32> to memref<3x5x8xf32, strided<[8, 24, 1]>>
// CHECK-NEXT:   [[ROWS:%.*]] = driver.buffer : memref<5x3x8xf32>
// CHECK-NEXT:   %y = driver.view [[ROWS]] : memref<5x3x8xf32> to memref<3x5x8xf32, strided<[8, 24, 1]>>
// CHECK-NEXT:   driver.call @relu_0(%heads) to (%y)
// CHECK-NEXT:   %rows = driver.view [[ROWS]] : memref<5x3x8xf32> to memref<5x24xf32>
// CHECK-NEXT:   driver.call @abs_1(%rows) to (%z)
// CHECK-NEXT: }
