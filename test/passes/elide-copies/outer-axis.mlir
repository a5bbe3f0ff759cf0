// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver --elide-copies %s | filecheck %s

// Along the outermost axis the parts are dense, and their kernels stay what they are.

func.func @main(%x: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %a = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.relu %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %b = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.abs %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %c = nn.concat %a, %b {axis = 0 : i64} : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  func.return %c : tensor<8x16xf32>
}

// CHECK:      ^bb0(%x: memref<4x16xf32>, %c: memref<8x16xf32>):
// CHECK-NEXT:   %a = driver.view %c : memref<8x16xf32> to memref<4x16xf32>
// CHECK-NEXT:   driver.call @relu_0(%x) to (%a) : (memref<4x16xf32>) to (memref<4x16xf32>)
// CHECK-NEXT:   %b = driver.view %c {offset = 64 : i64} : memref<8x16xf32> to memref<4x16xf32>
// CHECK-NEXT:   driver.call @abs_1(%x) to (%b) : (memref<4x16xf32>) to (memref<4x16xf32>)
// CHECK-NEXT: }
