// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver %s | filecheck %s

// A carried value has two buffers that are exchanged, but one that each step hands on as it is has
// none. Rows of what a step reads and of what it yields are places in memory; the second use of a
// yielded value is a copy.

func.func @main(%x: tensor<5x16xf32>, %h: tensor<16xf32>, %same: tensor<16xf32>) -> (tensor<5x16xf32>, tensor<16xf32>) {
  %last, %kept, %rows = nn.for steps 5 from (%h, %same) over (%x) with () {backwards = array<i64: 1, 0>} : (tensor<16xf32>, tensor<16xf32>), (tensor<5x16xf32>), () -> (tensor<16xf32>, tensor<16xf32>, tensor<5x16xf32>) {
  ^bb0(%i: tensor<i64>, %state: tensor<16xf32>, %keep: tensor<16xf32>, %row: tensor<16xf32>):
    %y = nn.kernel(%state, %row, %keep) : (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> {
    ^bb0(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: tensor<16xf32>):
      %s = nn.add %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      %t = nn.mul %s, %c : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      nn.yield %t : tensor<16xf32>
    }
    nn.yield %y, %keep, %y : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  }
  func.return %rows, %last : tensor<5x16xf32>, tensor<16xf32>
}

// CHECK:      ^bb0(%x: memref<5x16xf32>, %h: memref<16xf32>, %same: memref<16xf32>, %rows: memref<5x16xf32>, %{{.*}}: memref<16xf32>):
// CHECK-NEXT:   %state = driver.buffer : memref<16xf32>
// CHECK-NEXT:   %y = driver.buffer : memref<16xf32>
// CHECK-NEXT:   driver.copy %h to %state : memref<16xf32> to memref<16xf32>
// CHECK-NEXT:   driver.for steps 5 exchange %state with %y : memref<16xf32> with memref<16xf32> {
// CHECK-NEXT:     %row = driver.row %x backwards : memref<5x16xf32> to memref<16xf32>
// CHECK-NEXT:     %{{.*}} = driver.row %rows : memref<5x16xf32> to memref<16xf32>
// CHECK-NEXT:     driver.call @add_mul_0(%state, %row, %same) to (%y)
// CHECK-NEXT:     driver.copy %y to %{{.*}} : memref<16xf32> to memref<16xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   driver.copy %state to %{{.*}} : memref<16xf32> to memref<16xf32>
// CHECK-NEXT: }
