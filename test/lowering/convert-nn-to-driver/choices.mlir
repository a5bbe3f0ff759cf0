// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver %s | filecheck %s

// Both regions write the result, which is an output; what a region has around it is a copy. Weights
// stand in the program.

func.func @main(%c: tensor<i1>, %x: tensor<16xf32>) -> tensor<16xf32> {
  %y = nn.if %c with (%x) : tensor<i1>, (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %w = nn.constant #nn.dense<0.5 : tensor<16xf32>>
    %s = nn.kernel(%a, %w) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32> {
    ^bb0(%p: tensor<16xf32>, %q: tensor<16xf32>):
      %t = nn.add %p, %q : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
      nn.yield %t : tensor<16xf32>
    }
    nn.yield %s : tensor<16xf32>
  } else {
  ^bb0(%a: tensor<16xf32>):
    nn.yield %a : tensor<16xf32>
  }
  func.return %y : tensor<16xf32>
}

// CHECK:      ^bb0(%c: memref<i1>, %x: memref<16xf32>, %y: memref<16xf32>):
// CHECK-NEXT:   %w = driver.weight
// CHECK-NEXT:   driver.if %c : memref<i1> {
// CHECK-NEXT:     driver.call @add_0(%x, %w) to (%y)
// CHECK-NEXT:   } else {
// CHECK-NEXT:     driver.copy %x to %y : memref<16xf32> to memref<16xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
