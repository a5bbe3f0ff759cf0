// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Where only the first output is used and nothing is computed in other types it is one op.

func.func @op(%x: tensor<2x8xf16>, %s: tensor<8xf16>, %b: tensor<8xf16>) -> tensor<2x8xf16> {
  %y = "onnx.LayerNormalization"(%x, %s, %b) <{epsilon = 0.5 : f32, resultSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<2x8xf16>
  func.return %y : tensor<2x8xf16>
}

func.func @no_shift(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
  %y = "onnx.LayerNormalization"(%x, %s) <{axis = 1 : i64, resultSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// CHECK:      func.func @op(%x: tensor<2x8xf16>, %s: tensor<8xf16>, %b: tensor<8xf16>) -> tensor<2x8xf16> {
// CHECK-NEXT:   %y = nn.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 5.000000e-01 : f64} : (tensor<2x8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<2x8xf16>
// CHECK-NEXT:   func.return %y : tensor<2x8xf16>
// CHECK-NEXT: }

// CHECK:      func.func @no_shift(%x: tensor<2x3x4xf32>, %s: tensor<3x4xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT:   %y = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 9.9999997473787516e-06 : f64} : (tensor<2x3x4xf32>, tensor<3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
