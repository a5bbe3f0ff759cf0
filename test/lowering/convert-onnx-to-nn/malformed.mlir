// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// Ops that no valid model holds are errors like any other.

// CHECK: error: the model has 10 nodes that cannot be converted
// CHECK-NEXT: Cast-1 node 'target' on f32: a cast to elements of type FLAOT is not supported
// CHECK-NEXT: Concat-13 node 'nothing' on f32: an operand is needed at least, found none
// CHECK-NEXT: Conv-22 node 'rank' on f32: Conv takes rank 3 or more, found tensor<2x2xf32>
// CHECK-NEXT: Flatten-{{[0-9]+}} node 'axis' on f32: axis 3 is outside of rank 2
// CHECK-NEXT: GlobalAveragePool-{{[0-9]+}} node 'channels' on f32: GlobalAveragePool takes rank 2 or more, found tensor<2xf32>
// CHECK-NEXT: MaxPool-22 node 'window' on f32: 'kernel_shape' must have 1 entries, found [2, 2]
// CHECK-NEXT: MaxPool-22 node 'strides' on f32: strides takes 1 values, found 2
// CHECK-NEXT: Reshape-1 node 'count' on f32: tensor<2x2xf32> does not reshape to [3]
// CHECK-NEXT: Squeeze-1 node 'extent' on f32: axes [0] of tensor<2x2xf32> do not all have extent 1
// CHECK-NEXT: Transpose-{{[0-9]+}} node 'perm' on f32: permutation must name axis 0 only once, found [0, 0]

func.func @main(%x: tensor<2x2xf32>, %y: tensor<2xf32>, %z: tensor<1x1x4xf32>) {
  %0 = "onnx.Cast.v1"(%x) <{to = "FLAOT"}> : (tensor<2x2xf32>) -> tensor<2x2xf32> loc("target")
  %1 = "onnx.Concat"() <{axis = 0 : i64}> : () -> tensor<2x2xf32> loc("nothing")
  %2 = "onnx.Conv"(%x, %x) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> loc("rank")
  %3 = "onnx.Flatten"(%x) <{axis = 3 : i64}> : (tensor<2x2xf32>) -> tensor<2x2xf32> loc("axis")
  %4 = "onnx.MaxPool"(%z) <{kernel_shape = array<i64: 2>, strides = array<i64: 1, 1>}> : (tensor<1x1x4xf32>) -> tensor<2x2xf32> loc("strides")
  %5 = "onnx.MaxPool"(%z) <{kernel_shape = array<i64: 2, 2>}> : (tensor<1x1x4xf32>) -> tensor<2x2xf32> loc("window")
  %6 = "onnx.Reshape.v1"(%x) <{shape = array<i64: 3>}> : (tensor<2x2xf32>) -> tensor<3xf32> loc("count")
  %7 = "onnx.Squeeze.v1"(%x) <{axes = array<i64: 0>}> : (tensor<2x2xf32>) -> tensor<2xf32> loc("extent")
  %8 = "onnx.Transpose"(%x) <{perm = array<i64: 0, 0>}> : (tensor<2x2xf32>) -> tensor<2x2xf32> loc("perm")
  %9 = "onnx.GlobalAveragePool"(%y) : (tensor<2xf32>) -> tensor<2xf32> loc("channels")
  func.return
}
