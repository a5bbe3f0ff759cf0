// RUN: autodeploy-opt %s | filecheck %s

// The bare name is the newest version of an operator, a suffix an older one, a prefix another domain.

// CHECK-LABEL: func.func @versions
func.func @versions(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) {
  // CHECK: "onnx.Conv"(%x, %w) <{group = 1 : i64, strides = array<i64: 1, 1>}>
  %0 = "onnx.Conv"(%x, %w) <{group = 1 : i64, strides = array<i64: 1, 1>}> : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
  // CHECK: "onnx.Conv.v11"(%x, %w, %b)
  %1 = "onnx.Conv.v11"(%x, %w, %b) : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  // CHECK: "onnx.ml.Scaler"(%x)
  %2 = "onnx.ml.Scaler"(%x) : (tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  func.return
}
