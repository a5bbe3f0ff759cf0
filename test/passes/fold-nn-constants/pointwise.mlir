// RUN: autodeploy-opt --fold-nn-constants %s | filecheck %s

// CHECK-LABEL: @chain
// CHECK-NEXT: %0 = nn.constant #nn.dense<[2.0, 3.0] : tensor<2xf32>>
// CHECK-NEXT: func.return %0
func.func @chain() -> tensor<2xf32> {
  %c = nn.constant #nn.dense<[3.0, 8.0] : tensor<2xf32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %0 = nn.add %c, %one : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = nn.sqrt %0 : (tensor<2xf32>) -> tensor<2xf32>
  func.return %1 : tensor<2xf32>
}

// CHECK-LABEL: @quotient_toward_zero
// CHECK-NEXT: nn.constant #nn.dense<[-2, 2] : tensor<2xi32>>
func.func @quotient_toward_zero() -> tensor<2xi32> {
  %c = nn.constant #nn.dense<[-5, 5] : tensor<2xi32>>
  %d = nn.constant #nn.dense<2 : tensor<2xi32>>
  %0 = nn.div %c, %d : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// CHECK-LABEL: @cast
// CHECK-NEXT: nn.constant #nn.dense<[-1, 2] : tensor<2xi8>>
func.func @cast() -> tensor<2xi8> {
  %c = nn.constant #nn.dense<[-1.75, 2.5] : tensor<2xf32>>
  %0 = nn.cast %c : (tensor<2xf32>) -> tensor<2xi8>
  func.return %0 : tensor<2xi8>
}

// As in kernels, what no integer equals is the nearest one, and nan is 0.
// CHECK-LABEL: @cast_out_of_range
// CHECK: nn.constant #nn.dense<[127] : tensor<1xi8>>
// CHECK: nn.constant #nn.dense<[0] : tensor<1xui8>>
func.func @cast_out_of_range() -> (tensor<1xi8>, tensor<1xui8>) {
  %c = nn.constant #nn.dense<300.0 : tensor<1xf32>>
  %nan = nn.constant #nn.dense<"0x0000c07f" : tensor<1xf32>>
  %0 = nn.cast %c : (tensor<1xf32>) -> tensor<1xi8>
  %1 = nn.cast %nan : (tensor<1xf32>) -> tensor<1xui8>
  func.return %0, %1 : tensor<1xi8>, tensor<1xui8>
}

// CHECK-LABEL: @open_operand
// CHECK: nn.add
func.func @open_operand(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = nn.constant #nn.dense<[3.0, 8.0] : tensor<2xf32>>
  %0 = nn.add %c, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: @setting
// CHECK-NEXT: nn.constant #nn.dense<[-1.5, 8.0] : tensor<2xf32>>
func.func @setting() -> tensor<2xf32> {
  %c = nn.constant #nn.dense<[-3.0, 8.0] : tensor<2xf32>>
  %0 = nn.leaky_relu %c {alpha = 0.5 : f64} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// Anchors are left alone.
// CHECK-LABEL: @anchor
// CHECK: nn.softmax
func.func @anchor() -> tensor<2xf32> {
  %c = nn.constant #nn.dense<[3.0, 8.0] : tensor<2xf32>>
  %0 = nn.softmax %c {axis = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
