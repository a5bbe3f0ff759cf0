// RUN: autodeploy-opt %s --fold-onnx-constants | filecheck %s

// What is computed with an extent is a value of the run; what says a shape is a constant.

// CHECK: func.func @main
// CHECK-DAG: %[[ROWS:.*]] = nn.extent %x {axis = 1 : i64} : (tensor<1x3xf32>) -> tensor<i64>
// CHECK: %[[SUM:.*]] = nn.add {{.*}} : (tensor<2xi64>, tensor<i64>) -> tensor<2xi64>
// CHECK: "onnx.Mul"(%y, %[[SUM]])
// CHECK: "onnx.Reshape"(%z, %to) : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
// CHECK-NOT: nn.extent
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, onnx.keep_extents} {
  func.func @main(%x: tensor<1x3xf32>, %y: tensor<2xi64>, %z: tensor<6xf32>) -> (tensor<2xi64>, tensor<3x2xf32>) {
    %shape = "onnx.Shape"(%x) : (tensor<1x3xf32>) -> tensor<2xi64>
    %one = nn.constant #nn.dense<1 : tensor<i64>>
    %two = nn.constant #nn.dense<2 : tensor<i64>>
    %rows = "onnx.Gather"(%shape, %one) <{axis = 0 : i64}> : (tensor<2xi64>, tensor<i64>) -> tensor<i64>
    %end = "onnx.Add"(%rows, %two) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %range = "onnx.Range"(%rows, %end, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<2xi64>
    %a = "onnx.Mul"(%y, %range) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    %list = "onnx.Unsqueeze"(%rows, %axes) : (tensor<i64>, tensor<1xi64>) -> tensor<1xi64>
    %last = nn.constant #nn.dense<-1 : tensor<1xi64>>
    %to = "onnx.Concat"(%list, %last) <{axis = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %b = "onnx.Reshape"(%z, %to) : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
    func.return %a, %b : tensor<2xi64>, tensor<3x2xf32>
  }
}
