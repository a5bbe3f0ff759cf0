// RUN: not autodeploy-opt --convert-onnx-to-nn --split-input-file %s 2>&1 | filecheck %s

// What a sequence is must be known: its number of elements, and which of them an op inserts or takes.

// CHECK: SequenceLength-11 node 'count' on i64: the number of elements of !onnx.sequence<tensor<2xf32>> is not known

func.func @main(%s: !onnx.sequence<tensor<2xf32>>) -> tensor<i64> {
  %0 = "onnx.SequenceLength"(%s) : (!onnx.sequence<tensor<2xf32>>) -> tensor<i64> loc("count")
  func.return %0 : tensor<i64>
}

// -----

// CHECK: SequenceAt-11 node 'choice' on i64: a computed position takes elements of one shape

func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>, %p: tensor<i64>) -> tensor<?xf32> {
  %0 = "onnx.SequenceConstruct"(%x, %y) : (tensor<2xf32>, tensor<3xf32>) -> !onnx.sequence<tensor<?xf32>>
  %1 = "onnx.SequenceAt"(%0, %p) : (!onnx.sequence<tensor<?xf32>>, tensor<i64>) -> tensor<?xf32> loc("choice")
  func.return %1 : tensor<?xf32>
}

// -----

// CHECK: SequenceInsert-11 node 'place' on f32: position 2 is outside of 1 elements

func.func @main(%x: tensor<2xf32>) -> !onnx.sequence<tensor<2xf32>> {
  %0 = "onnx.SequenceConstruct"(%x) : (tensor<2xf32>) -> !onnx.sequence<tensor<2xf32>>
  %1 = nn.constant #nn.dense<2 : tensor<i64>>
  %2 = "onnx.SequenceInsert"(%0, %x, %1) : (!onnx.sequence<tensor<2xf32>>, tensor<2xf32>, tensor<i64>) -> !onnx.sequence<tensor<2xf32>> loc("place")
  func.return %2 : !onnx.sequence<tensor<2xf32>>
}
