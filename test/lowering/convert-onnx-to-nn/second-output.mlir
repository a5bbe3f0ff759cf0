// RUN: not autodeploy-opt --convert-onnx-to-nn %s --split-input-file 2>&1 | filecheck %s

// The positions of a MaxPool are no matter where nothing uses them, else they are unsupported.

// CHECK: nn.max_pool
// CHECK: MaxPool-22 node 'pool' on f32: output 1 is not supported

func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xf32> {
  %y, %i = "onnx.MaxPool"(%x) <{kernel_shape = array<i64: 2, 2>}> : (tensor<1x1x4x4xf32>) -> (tensor<1x1x3x3xf32>, tensor<1x1x3x3xi64>)
  func.return %y : tensor<1x1x3x3xf32>
}

// -----

func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xi64> {
  %y, %i = "onnx.MaxPool"(%x) <{kernel_shape = array<i64: 2, 2>}> : (tensor<1x1x4x4xf32>) -> (tensor<1x1x3x3xf32>, tensor<1x1x3x3xi64>) loc("pool")
  func.return %i : tensor<1x1x3x3xi64>
}
