// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver --elide-copies %s | filecheck %s

// A concat of a concat is one buffer, which grows by a slice at a time. What reads the smaller one
// reads a part of the whole; a call reads one slice and writes another one of the same buffer.

func.func @main(%x: tensor<4x8xf32>) -> tensor<4x24xf32> {
  %a = nn.kernel(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x8xf32>):
    %r = nn.relu %i : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %b = nn.kernel(%a) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x8xf32>):
    %r = nn.abs %i : (tensor<4x8xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %ab = nn.concat %a, %b {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  %c = nn.kernel(%ab) : (tensor<4x16xf32>) -> tensor<4x8xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.slice %i {starts = array<i64: 0, 15>, sizes = array<i64: 4, 8>, steps = array<i64: 1, -2>} : (tensor<4x16xf32>) -> tensor<4x8xf32>
    nn.yield %r : tensor<4x8xf32>
  }
  %abc = nn.concat %ab, %c {axis = 1 : i64} : (tensor<4x16xf32>, tensor<4x8xf32>) -> tensor<4x24xf32>
  %d = nn.kernel(%abc) : (tensor<4x24xf32>) -> tensor<4x24xf32> {
  ^bb0(%i: tensor<4x24xf32>):
    %r = nn.neg %i : (tensor<4x24xf32>) -> tensor<4x24xf32>
    nn.yield %r : tensor<4x24xf32>
  }
  func.return %d : tensor<4x24xf32>
}

// CHECK:      ^bb0(%x: memref<4x8xf32>, %d: memref<4x24xf32>):
// CHECK-NEXT:   %abc = driver.buffer : memref<4x24xf32>
// CHECK-NOT:    driver.buffer
// CHECK-NOT:    driver.copy
// CHECK:        driver.call @relu_0(%x) to (%a) : (memref<4x8xf32>) to (memref<4x8xf32, strided<[24, 1]>>)
// CHECK:        driver.call @abs_1(%a) to (%b) : (memref<4x8xf32, strided<[24, 1]>>) to (memref<4x8xf32, strided<[24, 1]>>)
// CHECK:        %c = driver.view %abc {offset = 16 : i64} : memref<4x24xf32> to memref<4x8xf32, strided<[24, 1]>>
// CHECK-NEXT:   driver.call @slice_2(%ab) to (%c) : (memref<4x16xf32, strided<[24, 1]>>) to (memref<4x8xf32, strided<[24, 1]>>)
// CHECK-NEXT:   driver.call @neg_3(%abc) to (%d)
// CHECK-NEXT: }
