// RUN: autodeploy-opt --infer-onnx-shapes %s | filecheck %s

// An If has what both branches agree on.
// CHECK-LABEL: @rows_differ
// CHECK: onnx.Relu{{.*}} -> tensor<2x3xf32>
// CHECK: }) : (tensor<i1>) -> tensor<?x3xf32>
func.func @rows_differ(%c: tensor<i1>, %x: tensor<2x3xf32>, %y: tensor<4x3xf32>) -> tensor<*xf32> {
  %0 = "onnx.If"(%c) ({
    %1 = "onnx.Relu"(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
    "onnx.yield"(%1) : (tensor<*xf32>) -> ()
  }, {
    "onnx.yield"(%y) : (tensor<4x3xf32>) -> ()
  }) : (tensor<i1>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}

// CHECK-LABEL: @ranks_differ
// CHECK: }) : (tensor<i1>) -> tensor<*xf32>
func.func @ranks_differ(%c: tensor<i1>, %x: tensor<3xf32>, %y: tensor<4x3xf32>) -> tensor<*xf32> {
  %0 = "onnx.If"(%c) ({
    "onnx.yield"(%x) : (tensor<3xf32>) -> ()
  }, {
    "onnx.yield"(%y) : (tensor<4x3xf32>) -> ()
  }) : (tensor<i1>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}
