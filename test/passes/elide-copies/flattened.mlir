// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver --elide-copies %s | filecheck %s

// A producer that works on a matrix of pixels still does, with pixels further apart.

func.func @main(%x: tensor<15x16xf32>) -> tensor<1x3x5x48xf32> {
  %a = nn.kernel(%x) : (tensor<15x16xf32>) -> tensor<15x16xf32> {
  ^bb0(%i: tensor<15x16xf32>):
    %r = nn.relu %i : (tensor<15x16xf32>) -> tensor<15x16xf32>
    nn.yield %r : tensor<15x16xf32>
  }
  %image = nn.reshape %a : (tensor<15x16xf32>) -> tensor<1x3x5x16xf32>
  %b = nn.kernel(%image) : (tensor<1x3x5x16xf32>) -> tensor<1x3x5x32xf32> {
  ^bb0(%i: tensor<1x3x5x16xf32>):
    %r = nn.pad %i {pads = array<i64: 0, 0, 0, 16, 0, 0, 0, 0>} : (tensor<1x3x5x16xf32>) -> tensor<1x3x5x32xf32>
    nn.yield %r : tensor<1x3x5x32xf32>
  }
  %c = nn.concat %b, %image {axis = 3 : i64} : (tensor<1x3x5x32xf32>, tensor<1x3x5x16xf32>) -> tensor<1x3x5x48xf32>
  func.return %c : tensor<1x3x5x48xf32>
}

// The concat is the program's output, so that the caller's memory is written straight.

// CHECK:      ^bb0(%x: memref<15x16xf32>, %c: memref<1x3x5x48xf32>):
// CHECK-DAG:    [[PIXELS:%.*]] = driver.view %c {offset = 32 : i64} : memref<1x3x5x48xf32> to memref<15x16xf32, strided<[48, 1]>>
// CHECK-DAG:    [[IMAGE:%.*]] = driver.view %c {offset = 32 : i64} : memref<1x3x5x48xf32> to memref<1x3x5x16xf32, strided<[720, 240, 48, 1]>>
// CHECK:        driver.call @relu_0(%x) to ([[PIXELS]]) : (memref<15x16xf32>) to (memref<15x16xf32, strided<[48, 1]>>)
// CHECK:        driver.call @pad_1([[IMAGE]]) to (%b) : (memref<1x3x5x16xf32, strided<[720, 240, 48, 1]>>) to (memref<1x3x5x32xf32, strided<[720, 240, 48, 1]>>)
// CHECK-NEXT: }
