// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Bounds as attributes, as inputs, and as inputs that are not known.

// CHECK: func.func @attributes(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %y = nn.clip %x {min = 0.000000e+00 : f64, max = 3.4028234663852886e+38 : f64} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: func.return %y : tensor<4xf32>
func.func @attributes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = "onnx.Clip.v6"(%x) <{min = 0.0 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK: func.func @inputs(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %y = nn.clip %x {min = 0.000000e+00 : f64, max = 6.000000e+00 : f64} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: func.return %y : tensor<4xf32>
func.func @inputs(%x: tensor<4xf32>) -> tensor<4xf32> {
  %lo = nn.constant #nn.dense<0.0 : tensor<f32>>
  %hi = nn.constant #nn.dense<6.0 : tensor<f32>>
  %y = "onnx.Clip"(%x, %lo, %hi) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK: func.func @only_max(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: %y = nn.clip %x {max = 6.000000e+00 : f64} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: func.return %y : tensor<4xf32>
func.func @only_max(%x: tensor<4xf32>) -> tensor<4xf32> {
  %hi = nn.constant #nn.dense<6.0 : tensor<f32>>
  %y = "onnx.Clip.v11"(%x, %hi) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK: func.func @computed(%x: tensor<4xf32>, %lo: tensor<f32>) -> tensor<4xf32> {
// CHECK-NEXT: %0 = nn.max %x, %lo : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: %1 = nn.constant #nn.dense<6.0 : tensor<f32>>
// CHECK-NEXT: %y = nn.min %0, %1 : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
// CHECK-NEXT: func.return %y : tensor<4xf32>
func.func @computed(%x: tensor<4xf32>, %lo: tensor<f32>) -> tensor<4xf32> {
  %hi = nn.constant #nn.dense<6.0 : tensor<f32>>
  %y = "onnx.Clip"(%x, %lo, %hi) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK: func.func @no_bound(%x: tensor<4xi8>) -> tensor<4xi8> {
// CHECK-NEXT: func.return %x : tensor<4xi8>
func.func @no_bound(%x: tensor<4xi8>) -> tensor<4xi8> {
  %lo = nn.constant #nn.dense<-128 : tensor<i8>>
  %y = "onnx.Clip"(%x, %lo) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<4xi8>, tensor<i8>) -> tensor<4xi8>
  func.return %y : tensor<4xi8>
}
