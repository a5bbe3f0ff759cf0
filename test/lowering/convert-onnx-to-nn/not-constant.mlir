// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// What sizes depend on must be constant.

// CHECK: error: the model has 2 nodes that cannot be converted
// CHECK-NEXT: Expand-13 node 'wide' on f32: input 'shape' must be a constant, found a result of nn.add
// CHECK-NEXT: Reshape-{{[0-9]+}} node 'flat' on f32: input 'shape' must be a constant, found an argument

func.func @main(%x: tensor<2x3xf32>, %s: tensor<2xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %y = "onnx.Reshape"(%x, %s) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32> loc("flat")
  %t = "onnx.Add"(%s, %s) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %z = "onnx.Expand"(%x, %t) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32> loc("wide")
  func.return %y, %z : tensor<?x?xf32>, tensor<?x?xf32>
}
