// RUN: autodeploy-opt --fold-onnx-constants %s | filecheck %s

// What an exporter makes of x.view(x.size(0), -1): all of it goes but the reshape.
builtin.module attributes {onnx.opset = {ai.onnx = 18 : i64}} {
  // CHECK: func.func @main(%x: tensor<2x3x4xf32>) -> tensor<2x12xf32>
  // CHECK-NEXT: %[[SHAPE:.*]] = nn.constant #nn.dense<[2, -1] : tensor<2xi64>>
  // CHECK-NEXT: "onnx.Reshape.v14"(%x, %[[SHAPE]]) : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<2x12xf32>
  // CHECK-NEXT: func.return
  func.func @main(%x: tensor<2x3x4xf32>) -> tensor<?x?xf32> {
    %zero = nn.constant #nn.dense<0 : tensor<i64>>
    %axes = nn.constant #nn.dense<0 : tensor<1xi64>>
    %rest = nn.constant #nn.dense<-1 : tensor<1xi64>>
    %0 = "onnx.Shape.v15"(%x) : (tensor<2x3x4xf32>) -> tensor<?xi64>
    %1 = "onnx.Gather"(%0, %zero) <{axis = 0 : i64}> : (tensor<?xi64>, tensor<i64>) -> tensor<i64>
    %2 = "onnx.Unsqueeze.v13"(%1, %axes) : (tensor<i64>, tensor<1xi64>) -> tensor<?xi64>
    %3 = "onnx.Concat"(%2, %rest) <{axis = 0 : i64}> : (tensor<?xi64>, tensor<1xi64>) -> tensor<?xi64>
    %4 = "onnx.Reshape.v14"(%x, %3) : (tensor<2x3x4xf32>, tensor<?xi64>) -> tensor<?x?xf32>
    func.return %4 : tensor<?x?xf32>
  }
}
