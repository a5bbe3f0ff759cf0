// RUN: autodeploy-opt --convert-nn-to-halide --convert-nn-to-driver --elide-copies %s | filecheck %s

// The producers of a concat's parts write into the concat, each with the strides of its place. They
// were one kernel, and still are, since their strides agree.

func.func @main(%x: tensor<4x16xf32>) -> tensor<4x32xf32> {
  %a = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.relu %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %b = nn.kernel(%a) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.abs %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %c = nn.concat %a, %b {axis = 1 : i64} : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x32xf32>
  %d = nn.kernel(%c) : (tensor<4x32xf32>) -> tensor<4x32xf32> {
  ^bb0(%i: tensor<4x32xf32>):
    %r = nn.neg %i : (tensor<4x32xf32>) -> tensor<4x32xf32>
    nn.yield %r : tensor<4x32xf32>
  }
  func.return %d : tensor<4x32xf32>
}

// CHECK-DAG:  halide.pipeline @relu_0(%in0: !halide.buffer<f32, [16, 4]>) to (%result0: !halide.buffer<f32, [16, 4], [1, 32]>)
// CHECK-DAG:  halide.pipeline @abs_1(%in0: !halide.buffer<f32, [16, 4], [1, 32]>) to (%result0: !halide.buffer<f32, [16, 4], [1, 32]>)
// CHECK-DAG:  halide.pipeline @neg_2(%in0: !halide.buffer<f32, [32, 4]>) to (%result0: !halide.buffer<f32, [32, 4]>)
// CHECK:      ^bb0(%x: memref<4x16xf32>, %d: memref<4x32xf32>):
// CHECK-NEXT:   %c = driver.buffer : memref<4x32xf32>
// CHECK-NEXT:   %a = driver.view %c : memref<4x32xf32> to memref<4x16xf32, strided<[32, 1]>>
// CHECK-NEXT:   driver.call @relu_0(%x) to (%a)
// CHECK-NEXT:   %b = driver.view %c {offset = 16 : i64} : memref<4x32xf32> to memref<4x16xf32, strided<[32, 1]>>
// CHECK-NEXT:   driver.call @abs_1(%a) to (%b)
// CHECK-NEXT:   driver.call @neg_2(%c) to (%d)
// CHECK-NEXT: }
