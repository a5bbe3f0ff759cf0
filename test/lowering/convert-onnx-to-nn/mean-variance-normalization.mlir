// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// The variance is the mean of (x - mean)^2, which keeps its digits where the mean is large.

// CHECK:      %[[M:[^ ]+]] = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 0, 2>, keepdims = true}
// CHECK-NEXT: %[[D:[^ ]+]] = nn.sub %x, %[[M]]
// CHECK-NEXT: %[[S:[^ ]+]] = nn.mul %[[D]], %[[D]]
// CHECK-NEXT: %[[V:[^ ]+]] = nn.reduce %[[S]] {kind = #nn<reduction mean>, axes = array<i64: 0, 2>, keepdims = true}
// CHECK-NEXT: %[[R:[^ ]+]] = nn.sqrt %[[V]]
// CHECK-NEXT: %[[E:[^ ]+]] = nn.constant
// CHECK-NEXT: %[[N:[^ ]+]] = nn.add %[[R]], %[[E]]
// CHECK-NEXT: nn.div %[[D]], %[[N]]

func.func @main(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %y = "onnx.MeanVarianceNormalization"(%x) <{axes = array<i64: 0, 2>}> : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  func.return %y : tensor<2x3x5xf32>
}
