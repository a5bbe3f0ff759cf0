// RUN: autodeploy-opt --remove-onnx-identities %s | filecheck %s

// CHECK-LABEL: @same_shape
// CHECK-NEXT: func.return %x, %x, %x
func.func @same_shape(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %shape = nn.constant #nn.dense<[2, -1] : tensor<2xi64>>
  %0 = "onnx.Reshape"(%x, %shape) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %1 = "onnx.Flatten"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %ones = nn.constant #nn.dense<[1, 1] : tensor<2xi64>>
  %2 = "onnx.Expand"(%x, %ones) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  func.return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// The number of elements settles one open extent, but not two, and none beside an extent of 0.
// CHECK-LABEL: @one_open
// CHECK-NEXT: func.return %x
func.func @one_open(%x: tensor<?x3xf32>, %shape: tensor<2xi64>) -> tensor<?x3xf32> {
  %0 = "onnx.Reshape"(%x, %shape) : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  func.return %0 : tensor<?x3xf32>
}

// CHECK-LABEL: @two_open
// CHECK-NEXT: onnx.Reshape
func.func @two_open(%x: tensor<?x?xf32>, %shape: tensor<2xi64>) -> tensor<?x?xf32> {
  %0 = "onnx.Reshape"(%x, %shape) : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: @empty
// CHECK-NEXT: onnx.Reshape
func.func @empty(%x: tensor<?x0xf32>, %shape: tensor<2xi64>) -> tensor<?x0xf32> {
  %0 = "onnx.Reshape"(%x, %shape) : (tensor<?x0xf32>, tensor<2xi64>) -> tensor<?x0xf32>
  func.return %0 : tensor<?x0xf32>
}

// Both repeat their operand as often as their second operand says.
// CHECK-LABEL: @repeated
// CHECK-NEXT: onnx.Tile
// CHECK-NEXT: onnx.Expand
func.func @repeated(%x: tensor<?x3xf32>, %n: tensor<2xi64>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %0 = "onnx.Tile"(%x, %n) : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  %1 = "onnx.Expand"(%x, %n) : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  func.return %0, %1 : tensor<?x3xf32>, tensor<?x3xf32>
}

// CHECK-LABEL: @casts
// CHECK-NEXT: %0 = "onnx.Cast"(%x) <{to = 11 : i64}>
// CHECK-NEXT: func.return %x, %0
func.func @casts(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf64>) {
  %0 = "onnx.Cast"(%x) <{to = 1 : i64}> : (tensor<?xf32>) -> tensor<?xf32>
  %1 = "onnx.Cast"(%x) <{to = 11 : i64}> : (tensor<?xf32>) -> tensor<?xf64>
  func.return %0, %1 : tensor<?xf32>, tensor<?xf64>
}
