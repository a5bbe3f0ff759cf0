// RUN: autodeploy-opt %s | filecheck %s

// Subgraphs are regions that see the values around them and end in onnx.yield.

// CHECK-LABEL: func.func @choice
func.func @choice(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK:      %0 = "onnx.If"(%c) ({
  // CHECK-NEXT:   "onnx.yield"(%x) : (tensor<2xf32>) -> ()
  // CHECK-NEXT: }, {
  // CHECK-NEXT:   %1 = "onnx.Relu"(%x)
  // CHECK-NEXT:   "onnx.yield"(%1) : (tensor<2xf32>) -> ()
  // CHECK-NEXT: }) : (tensor<i1>) -> tensor<2xf32>
  %0 = "onnx.If"(%c) ({
    "onnx.yield"(%x) : (tensor<2xf32>) -> ()
  }, {
    %1 = "onnx.Relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    "onnx.yield"(%1) : (tensor<2xf32>) -> ()
  }) : (tensor<i1>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @loop
func.func @loop(%n: tensor<i64>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK:      "onnx.Loop"(%n, %x) <{operandSegmentSizes = array<i32: 1, 0, 1>}> ({
  // CHECK-NEXT: ^{{.*}}(%i: tensor<i64>, %go: tensor<i1>, %sum: tensor<2xf32>):
  // CHECK-NEXT:   "onnx.yield"(%go, %sum) : (tensor<i1>, tensor<2xf32>) -> ()
  %0 = "onnx.Loop"(%n, %x) <{operandSegmentSizes = array<i32: 1, 0, 1>}> ({
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %sum: tensor<2xf32>):
    "onnx.yield"(%go, %sum) : (tensor<i1>, tensor<2xf32>) -> ()
  }) : (tensor<i64>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
