// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// The inference form: today's, that of opset 6, and one whose types differ.

// CHECK: func.func @today(%x: tensor<1x3x4x4xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
// CHECK-NEXT: %y = nn.batch_norm %x, %s, %b, %m, %v {epsilon = 0.0010000000474974513 : f64} : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
// CHECK-NEXT: func.return %y : tensor<1x3x4x4xf32>
func.func @today(%x: tensor<1x3x4x4xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<1x3x4x4xf32> {
  %y = "onnx.BatchNormalization"(%x, %s, %b, %m, %v) <{epsilon = 0.001 : f32, resultSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<1x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4x4xf32>
  func.return %y : tensor<1x3x4x4xf32>
}

// CHECK: func.func @opset_6(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT: %y = nn.batch_norm %x, %s, %b, %m, %v {epsilon = 9.9999997473787516e-06 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: func.return %y : tensor<2x3xf32>
func.func @opset_6(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3xf32> {
  %y = "onnx.BatchNormalization.v6"(%x, %s, %b, %m, %v) <{is_test = 1 : i64, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK: func.func @mixed(%x: tensor<2x3xf16>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3xf16> {
// CHECK-NEXT: %0 = nn.cast %x : (tensor<2x3xf16>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = nn.batch_norm %0, %s, %b, %m, %v {epsilon = 9.9999997473787516e-06 : f64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %y = nn.cast %1 : (tensor<2x3xf32>) -> tensor<2x3xf16>
// CHECK-NEXT: func.return %y : tensor<2x3xf16>
func.func @mixed(%x: tensor<2x3xf16>, %s: tensor<3xf32>, %b: tensor<3xf32>, %m: tensor<3xf32>, %v: tensor<3xf32>) -> tensor<2x3xf16> {
  %y = "onnx.BatchNormalization"(%x, %s, %b, %m, %v) <{resultSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x3xf16>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf16>
  func.return %y : tensor<2x3xf16>
}
