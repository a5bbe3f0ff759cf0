// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// CHECK-LABEL: @exact
// CHECK-NEXT: func.return %x, %x, %x, %x
func.func @exact(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %minus_zero = nn.constant #nn.dense<-0.0 : tensor<4xf32>>
  %zero = nn.constant #nn.dense<0.0 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<1xf32>>
  %0 = nn.add %minus_zero, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.sub %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = nn.mul %one, %x : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.div %x, %one : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  func.return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @integers
// CHECK-NEXT: func.return %x, %x
func.func @integers(%x: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %zero = nn.constant #nn.dense<0 : tensor<i8>>
  %one = nn.constant #nn.dense<1 : tensor<4xi8>>
  %0 = nn.add %x, %zero : (tensor<4xi8>, tensor<i8>) -> tensor<4xi8>
  %1 = nn.mul %x, %one : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
  func.return %0, %1 : tensor<4xi8>, tensor<4xi8>
}

// -0.0 + 0.0 is 0.0, and so is -0.0 - -0.0.
// CHECK-LABEL: @sign_of_zero
// CHECK: nn.add
// CHECK-NEXT: nn.sub
func.func @sign_of_zero(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %minus_zero = nn.constant #nn.dense<-0.0 : tensor<f32>>
  %zero = nn.constant #nn.dense<0.0 : tensor<f32>>
  %0 = nn.add %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = nn.sub %x, %minus_zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @wrong_side
// CHECK: nn.sub
// CHECK-NEXT: nn.div
func.func @wrong_side(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = nn.constant #nn.dense<0.0 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %0 = nn.sub %zero, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.div %one, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The constant makes the result wider than the operand.
// CHECK-LABEL: @widens
// CHECK: nn.mul
func.func @widens(%x: tensor<4xf32>) -> tensor<2x4xf32> {
  %one = nn.constant #nn.dense<1.0 : tensor<2x4xf32>>
  %0 = nn.mul %x, %one : (tensor<4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %0 : tensor<2x4xf32>
}

// CHECK-LABEL: @not_all_ones
// CHECK: nn.mul
func.func @not_all_ones(%x: tensor<2xf32>) -> tensor<2xf32> {
  %most = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
  %0 = nn.mul %x, %most : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}
