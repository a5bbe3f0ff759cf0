// RUN: autodeploy-opt %s --fold-onnx-constants | filecheck %s

// An If whose condition follows from an open extent keeps both branches; one by a constant has one of them.

// CHECK-LABEL: func.func @main
// CHECK: %[[SINGLE:.*]] = "onnx.Equal"(%{{.*}}, %{{.*}}) {onnx.largest = [#nn.dense<[0] : tensor<1xi1>>]}
// CHECK: "onnx.If"(%[[SINGLE]]) ({
// CHECK: }, {
// CHECK: "onnx.Squeeze"
// CHECK-NOT: onnx.If
// CHECK: %[[Y:.*]] = "onnx.Neg"(%x)
// CHECK: func.return %{{.*}}, %[[Y]]
builtin.module attributes {onnx.opset = {ai.onnx = 19 : i64}, nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> (tensor<*xf32>, tensor<8x6xf32>) {
    %zero = nn.constant #nn.dense<0 : tensor<1xi64>>
    %one = nn.constant #nn.dense<1 : tensor<1xi64>>
    %rows = "onnx.Shape"(%x) <{start = 0 : i64, end = 1 : i64}> : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<1xi64>
    %single = "onnx.Equal"(%rows, %one) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
    %y = "onnx.If"(%single) ({
      "onnx.yield"(%x) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> ()
    }, {
      %squeezed = "onnx.Squeeze"(%x, %zero) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<1xi64>) -> tensor<*xf32>
      "onnx.yield"(%squeezed) : (tensor<*xf32>) -> ()
    }) : (tensor<1xi1>) -> tensor<*xf32>
    %never = "onnx.Equal"(%zero, %one) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi1>
    %z = "onnx.If"(%never) ({
      %neg = "onnx.Neg"(%x) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<8x6xf32>
      "onnx.yield"(%neg) : (tensor<8x6xf32>) -> ()
    }, {
      "onnx.yield"(%x) : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> ()
    }) : (tensor<1xi1>) -> tensor<8x6xf32>
    func.return %y, %z : tensor<*xf32>, tensor<8x6xf32>
  }
}
