// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// The first stage is computed in f32, all three outputs are there.

// CHECK: func.func @main(%x: tensor<2x8xf16>, %s: tensor<8xf16>) -> (tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>) {
// CHECK-NEXT: %0 = nn.cast %x : (tensor<2x8xf16>) -> tensor<2x8xf32>
// CHECK-NEXT: %m = nn.reduce %0 {kind = #nn<reduction mean>, axes = array<i64: 1>, keepdims = true} : (tensor<2x8xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %1 = nn.sub %0, %m : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %2 = nn.mul %1, %1 : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %3 = nn.reduce %2 {kind = #nn<reduction mean>, axes = array<i64: 1>, keepdims = true} : (tensor<2x8xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %4 = nn.constant #nn.dense<1.0e-05 : tensor<f32>>
// CHECK-NEXT: %5 = nn.add %3, %4 : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
// CHECK-NEXT: %6 = nn.sqrt %5 : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %i = nn.reciprocal %6 : (tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %7 = nn.mul %1, %i : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %8 = nn.cast %7 : (tensor<2x8xf32>) -> tensor<2x8xf16>
// CHECK-NEXT: %y = nn.mul %8, %s : (tensor<2x8xf16>, tensor<8xf16>) -> tensor<2x8xf16>
// CHECK-NEXT: func.return %y, %m, %i : tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>
func.func @main(%x: tensor<2x8xf16>, %s: tensor<8xf16>) -> (tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>) {
  %y, %m, %i = "onnx.LayerNormalization"(%x, %s) <{resultSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<2x8xf16>, tensor<8xf16>) -> (tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>)
  func.return %y, %m, %i : tensor<2x8xf16>, tensor<2x1xf32>, tensor<2x1xf32>
}
