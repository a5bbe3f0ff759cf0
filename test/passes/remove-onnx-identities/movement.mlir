// RUN: autodeploy-opt --remove-onnx-identities %s | filecheck %s

// CHECK-LABEL: @transposes
// CHECK-NEXT: %0 = "onnx.Transpose"(%x) : (tensor<3x3xf32>) -> tensor<3x3xf32>
// CHECK-NEXT: %1 = "onnx.Transpose"(%x) <{perm = array<i64: 1, 0>}>
// CHECK-NEXT: func.return %x, %0, %1
func.func @transposes(%x: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) {
  %0 = "onnx.Transpose"(%x) <{perm = array<i64: 0, 1>}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = "onnx.Transpose"(%x) : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = "onnx.Transpose"(%x) <{perm = array<i64: 1, 0>}> : (tensor<3x3xf32>) -> tensor<3x3xf32>
  func.return %0, %1, %2 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
}

// CHECK-LABEL: @no_pads
// CHECK-NEXT: func.return %x, %x
func.func @no_pads(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %zero = nn.constant #nn.dense<0 : tensor<2xi64>>
  %0 = "onnx.Pad"(%x, %zero) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<?xf32>, tensor<2xi64>) -> tensor<?xf32>
  %1 = "onnx.Pad.v2"(%x) <{pads = array<i64: 0, 0>}> : (tensor<?xf32>) -> tensor<?xf32>
  func.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// One element more before and one less after: the type stays, the elements do not.
// CHECK-LABEL: @shifted
// CHECK: onnx.Pad"
// CHECK: onnx.Pad.v2
func.func @shifted(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %pads = nn.constant #nn.dense<[1, -1] : tensor<2xi64>>
  %0 = "onnx.Pad"(%x, %pads) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<4xf32>, tensor<2xi64>) -> tensor<4xf32>
  %1 = "onnx.Pad.v2"(%x) <{pads = array<i64: 1, -1>}> : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @whole
// CHECK-NOT: onnx.Slice
// CHECK: func.return %x, %x
func.func @whole(%x: tensor<4xf32>, %at: tensor<1xi64>) -> (tensor<4xf32>, tensor<4xf32>) {
  %one = nn.constant #nn.dense<1 : tensor<1xi64>>
  %0 = "onnx.Slice"(%x, %at, %at, %at, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  %1 = "onnx.Slice.v1"(%x) <{starts = array<i64: 0>, ends = array<i64: 9>}> : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @perhaps_reversed
// CHECK: onnx.Slice
// CHECK: onnx.Slice
func.func @perhaps_reversed(%x: tensor<4xf32>, %at: tensor<1xi64>) -> (tensor<4xf32>, tensor<4xf32>) {
  %back = nn.constant #nn.dense<-1 : tensor<1xi64>>
  %0 = "onnx.Slice"(%x, %at, %at, %at, %back) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  %1 = "onnx.Slice"(%x, %at, %at, %at, %at) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>}> : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
