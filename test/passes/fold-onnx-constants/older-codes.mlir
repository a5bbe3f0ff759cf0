// RUN: autodeploy-opt --fold-onnx-constants %s | filecheck %s

// A size that a quantiser has given codes, in an opset whose DequantizeLinear the reference lacks.
// CHECK-LABEL: func.func @size() -> tensor<f32>
// CHECK-NEXT: %[[D:.*]] = nn.constant #nn.dense<6.0 : tensor<f32>>
// CHECK-NEXT: func.return %[[D]] : tensor<f32>
func.func @size() -> tensor<f32> {
  %size = nn.constant #nn.dense<6.1 : tensor<f32>>
  %scale = nn.constant #nn.dense<0.5 : tensor<f32>>
  %zero = nn.constant #nn.dense<3 : tensor<ui8>>
  %codes = "onnx.QuantizeLinear.v13"(%size, %scale, %zero) : (tensor<f32>, tensor<f32>, tensor<ui8>) -> tensor<ui8>
  %0 = "onnx.DequantizeLinear.v13"(%codes, %scale, %zero) : (tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// Codes whose number is not known yet.
// CHECK-LABEL: @codes_of_unknown_extents
// CHECK: onnx.DequantizeLinear
func.func @codes_of_unknown_extents(%codes: tensor<?x8xui8>) -> tensor<?x8xf32> {
  %scale = nn.constant #nn.dense<0.5 : tensor<f32>>
  %zero = nn.constant #nn.dense<3 : tensor<ui8>>
  %0 = "onnx.DequantizeLinear.v13"(%codes, %scale, %zero) : (tensor<?x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<?x8xf32>
  func.return %0 : tensor<?x8xf32>
}
