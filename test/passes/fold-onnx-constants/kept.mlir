// RUN: autodeploy-opt --fold-onnx-constants %s | filecheck %s

// A draw of random numbers is another one each time.
// CHECK-LABEL: @random
// CHECK: onnx.RandomNormal"
// CHECK: onnx.RandomUniformLike"
func.func @random() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
  %0 = "onnx.RandomNormal"() <{shape = array<i64: 2>}> : () -> tensor<2xf32>
  %1 = "onnx.RandomUniformLike"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @one_operand_open
// CHECK: onnx.Add
func.func @one_operand_open(%y: tensor<2xf32>) -> tensor<2xf32> {
  %x = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
  %0 = "onnx.Add"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// Convolutions of constants are left to the program: the reference takes too long.
// CHECK-LABEL: @costly
// CHECK: onnx.Conv
func.func @costly() -> tensor<1x1x2xf32> {
  %x = nn.constant #nn.dense<[1.0, 2.0] : tensor<1x1x2xf32>>
  %w = nn.constant #nn.dense<2.0 : tensor<1x1x1xf32>>
  %0 = "onnx.Conv"(%x, %w) : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x2xf32>
  func.return %0 : tensor<1x1x2xf32>
}

// The reference fails: index 5 of 2.
// CHECK-LABEL: @fails
// CHECK: onnx.Gather
func.func @fails() -> tensor<f32> {
  %x = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
  %i = nn.constant #nn.dense<5 : tensor<i64>>
  %0 = "onnx.Gather"(%x, %i) : (tensor<2xf32>, tensor<i64>) -> tensor<f32>
  func.return %0 : tensor<f32>
}

// The model says that the result has three elements.
// CHECK-LABEL: @contradiction
// CHECK: onnx.Add
func.func @contradiction() -> tensor<3xf32> {
  %x = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
  %0 = "onnx.Add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}

// Rules of nn read codes that share bytes; a few of them may be sizes.
// CHECK-LABEL: @packed_codes
// CHECK: onnx.BitShift
func.func @packed_codes() -> tensor<400x2xui8> {
  %x = nn.constant #nn.dense<18 : tensor<400x1xui8>>
  %y = nn.constant #nn.dense<[0, 4] : tensor<2xui8>>
  %0 = "onnx.BitShift"(%x, %y) <{direction = "RIGHT"}> : (tensor<400x1xui8>, tensor<2xui8>) -> tensor<400x2xui8>
  func.return %0 : tensor<400x2xui8>
}

// CHECK-LABEL: @few_packed_codes
// CHECK: nn.constant #nn.dense<[18, 1] : tensor<1x2xui8>>
func.func @few_packed_codes() -> tensor<1x2xui8> {
  %x = nn.constant #nn.dense<18 : tensor<1x1xui8>>
  %y = nn.constant #nn.dense<[0, 4] : tensor<2xui8>>
  %0 = "onnx.BitShift"(%x, %y) <{direction = "RIGHT"}> : (tensor<1x1xui8>, tensor<2xui8>) -> tensor<1x2xui8>
  func.return %0 : tensor<1x2xui8>
}
