// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver %s | filecheck %s

// A choice whose result an output reshapes writes that output; nothing is copied onto itself.

func.func @main(%c: tensor<i1>, %x: tensor<16xf32>) -> tensor<4x4xf32> {
  %y = nn.if %c with (%x) : tensor<i1>, (tensor<16xf32>) -> tensor<16xf32> {
  ^bb0(%a: tensor<16xf32>):
    %s = nn.kernel(%a) : (tensor<16xf32>) -> tensor<16xf32> {
    ^bb0(%p: tensor<16xf32>):
      %t = nn.neg %p : (tensor<16xf32>) -> tensor<16xf32>
      nn.yield %t : tensor<16xf32>
    }
    nn.yield %s : tensor<16xf32>
  } else {
  ^bb0(%a: tensor<16xf32>):
    nn.yield %a : tensor<16xf32>
  }
  %z = nn.reshape %y : (tensor<16xf32>) -> tensor<4x4xf32>
  func.return %z : tensor<4x4xf32>
}

// CHECK:        %y = driver.view %z : memref<4x4xf32> to memref<16xf32>
// CHECK-NEXT:   driver.if %c : memref<i1> {
// CHECK-NEXT:     driver.call @neg_0(%x) to (%y)
// CHECK-NEXT:   } else {
// CHECK-NEXT:     driver.copy %x to %y : memref<16xf32> to memref<16xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
