// RUN: autodeploy-opt --remove-onnx-identities %s | filecheck %s

// CHECK-LABEL: @inference
// CHECK-NEXT: func.return %x, %x, %x, %x
func.func @inference(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %false = nn.constant #nn.dense<0 : tensor<i1>>
  %0 = "onnx.Dropout"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<3xf32>) -> tensor<3xf32>
  %1, %mask = "onnx.Dropout"(%x, %false) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<3xf32>, tensor<i1>) -> (tensor<3xf32>, tensor<3xi1>)
  %2 = "onnx.Dropout.v7"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %3 = "onnx.Dropout.v6"(%x) <{is_test = 1 : i64}> : (tensor<3xf32>) -> tensor<3xf32>
  func.return %0, %1, %2, %3 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// CHECK-LABEL: @mask_used
// CHECK-NEXT: onnx.Dropout
func.func @mask_used(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>) {
  %0, %mask = "onnx.Dropout"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi1>)
  func.return %0, %mask : tensor<3xf32>, tensor<3xi1>
}

// CHECK-LABEL: @training
// CHECK: onnx.Dropout"
// CHECK: onnx.Dropout"
// CHECK: onnx.Dropout.v6
func.func @training(%x: tensor<3xf32>, %mode: tensor<i1>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %true = nn.constant #nn.dense<1 : tensor<i1>>
  %0 = "onnx.Dropout"(%x, %true) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<3xf32>, tensor<i1>) -> tensor<3xf32>
  %1 = "onnx.Dropout"(%x, %mode) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<3xf32>, tensor<i1>) -> tensor<3xf32>
  %2 = "onnx.Dropout.v6"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  func.return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}
