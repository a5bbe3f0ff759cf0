// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Blocks are a reshape, a transpose and a reshape, in the order of the mode.

// CHECK: func.func @dcr(%x: tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32> {
// CHECK-NEXT: %0 = nn.reshape %x : (tensor<1x8x2x3xf32>) -> tensor<1x2x2x2x2x3xf32>
// CHECK-NEXT: %1 = nn.transpose %0 {permutation = array<i64: 0, 3, 4, 1, 5, 2>} : (tensor<1x2x2x2x2x3xf32>) -> tensor<1x2x2x2x3x2xf32>
// CHECK-NEXT: %y = nn.reshape %1 : (tensor<1x2x2x2x3x2xf32>) -> tensor<1x2x4x6xf32>
// CHECK-NEXT: func.return %y : tensor<1x2x4x6xf32>
func.func @dcr(%x: tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32> {
  %y = "onnx.DepthToSpace"(%x) <{blocksize = 2 : i64}> : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  func.return %y : tensor<1x2x4x6xf32>
}

// CHECK: func.func @crd(%x: tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32> {
// CHECK-NEXT: %0 = nn.reshape %x : (tensor<1x8x2x3xf32>) -> tensor<1x2x2x2x2x3xf32>
// CHECK-NEXT: %1 = nn.transpose %0 {permutation = array<i64: 0, 1, 4, 2, 5, 3>} : (tensor<1x2x2x2x2x3xf32>) -> tensor<1x2x2x2x3x2xf32>
// CHECK-NEXT: %y = nn.reshape %1 : (tensor<1x2x2x2x3x2xf32>) -> tensor<1x2x4x6xf32>
// CHECK-NEXT: func.return %y : tensor<1x2x4x6xf32>
func.func @crd(%x: tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32> {
  %y = "onnx.DepthToSpace"(%x) <{blocksize = 2 : i64, mode = "CRD"}> : (tensor<1x8x2x3xf32>) -> tensor<1x2x4x6xf32>
  func.return %y : tensor<1x2x4x6xf32>
}
