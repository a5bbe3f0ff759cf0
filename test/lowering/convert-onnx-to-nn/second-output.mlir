// RUN: autodeploy-opt --convert-onnx-to-nn %s --split-input-file 2>&1 | filecheck %s

// The positions of a MaxPool are looked up only where something uses them.

// CHECK: nn.max_pool
// CHECK-NEXT: func.return
// CHECK: nn.max_pool
// CHECK: nn.library_call "pool_places"
// CHECK: func.return

func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xf32> {
  %y, %i = "onnx.MaxPool"(%x) <{kernel_shape = array<i64: 2, 2>}> : (tensor<1x1x4x4xf32>) -> (tensor<1x1x3x3xf32>, tensor<1x1x3x3xi64>)
  func.return %y : tensor<1x1x3x3xf32>
}

// -----

func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xi64> {
  %y, %i = "onnx.MaxPool"(%x) <{kernel_shape = array<i64: 2, 2>}> : (tensor<1x1x4x4xf32>) -> (tensor<1x1x3x3xf32>, tensor<1x1x3x3xi64>) loc("pool")
  func.return %i : tensor<1x1x3x3xi64>
}
