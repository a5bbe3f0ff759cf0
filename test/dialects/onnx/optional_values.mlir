// RUN: autodeploy-opt %s | filecheck %s

// Inputs and outputs that are left out: by their number where that says which, else by segment sizes.

// CHECK-LABEL: func.func @one_optional
func.func @one_optional(%x: tensor<2xf32>, %axes: tensor<1xi64>) {
  // CHECK: "onnx.Squeeze"(%x) :
  %0 = "onnx.Squeeze"(%x) : (tensor<2xf32>) -> tensor<*xf32>
  // CHECK: "onnx.Squeeze"(%x, %axes) :
  %1 = "onnx.Squeeze"(%x, %axes) : (tensor<2xf32>, tensor<1xi64>) -> tensor<*xf32>
  func.return
}

// CHECK-LABEL: func.func @some_optional
func.func @some_optional(%x: tensor<2xf32>, %max: tensor<f32>) {
  // CHECK: "onnx.Clip"(%x, %max) <{operandSegmentSizes = array<i32: 1, 0, 1>}>
  %0 = "onnx.Clip"(%x, %max) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return
}

// CHECK-LABEL: func.func @outputs
func.func @outputs(%x: tensor<3x1x2xf32>, %w: tensor<1x8x2xf32>, %r: tensor<1x8x2xf32>) {
  // CHECK: "onnx.LSTM"(%x, %w, %r) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 0, 1, 0>}>
  %h = "onnx.LSTM"(%x, %w, %r) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>, resultSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<3x1x2xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32>) -> tensor<1x1x2xf32>
  func.return
}
