// RUN: autodeploy-opt --fold-onnx-constants %s | filecheck %s

// What PyTorch makes of squeeze(1): the extent is known, so one branch remains.
// CHECK-LABEL: func.func @squeeze(%x: tensor<2x1x3xf32>) -> tensor<2x3xf32>
// CHECK-NOT: onnx.If
// CHECK: %[[R:.*]] = "onnx.Squeeze.v13"(%x, %{{.*}}) : (tensor<2x1x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
// CHECK-NEXT: func.return %[[R]] : tensor<2x3xf32>
func.func @squeeze(%x: tensor<2x1x3xf32>) -> tensor<*xf32> {
  %one = nn.constant #nn.dense<1 : tensor<1xi64>>
  %0 = "onnx.Shape.v15"(%x) <{start = 1 : i64, end = 2 : i64}> : (tensor<2x1x3xf32>) -> tensor<1xi64>
  %1 = "onnx.Equal"(%0, %one) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
  %2 = "onnx.If"(%1) ({
    "onnx.yield"(%x) : (tensor<2x1x3xf32>) -> ()
  }, {
    %3 = "onnx.Squeeze.v13"(%x, %one) : (tensor<2x1x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
    "onnx.yield"(%3) : (tensor<2x3xf32>) -> ()
  }) : (tensor<1xi1>) -> tensor<*xf32>
  func.return %2 : tensor<*xf32>
}

// CHECK-LABEL: @open_condition
// CHECK-NEXT: onnx.If
func.func @open_condition(%c: tensor<i1>, %x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "onnx.If"(%c) ({
    "onnx.yield"(%x) : (tensor<3xf32>) -> ()
  }, {
    "onnx.yield"(%y) : (tensor<3xf32>) -> ()
  }) : (tensor<i1>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}
