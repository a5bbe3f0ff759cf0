// RUN: autodeploy-opt --fold-nn-constants="max-bytes=16" %s | filecheck %s

// Equal elements are one, whatever their number.
// CHECK-LABEL: @equal
// CHECK-NEXT: nn.constant #nn.dense<3.0 : tensor<1000x1000000xf32>>
func.func @equal() -> tensor<1000x1000000xf32> {
  %c = nn.constant #nn.dense<1.0 : tensor<1000000x1000xf32>>
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %0 = nn.transpose %c {permutation = array<i64: 1, 0>} : (tensor<1000000x1000xf32>) -> tensor<1000x1000000xf32>
  %1 = nn.add %0, %two : (tensor<1000x1000000xf32>, tensor<f32>) -> tensor<1000x1000000xf32>
  func.return %1 : tensor<1000x1000000xf32>
}

// CHECK-LABEL: @too_large
// CHECK: nn.concat
func.func @too_large() -> tensor<6xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %0 = nn.concat %c, %c {axis = 0 : i64} : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
  func.return %0 : tensor<6xf32>
}

// Two values of equal elements next to each other are not equal.
// CHECK-LABEL: @two_values
// CHECK-NEXT: nn.constant #nn.dense<[1.0, 1.0, 2.0, 2.0] : tensor<4xf32>>
func.func @two_values() -> tensor<4xf32> {
  %c = nn.constant #nn.dense<1.0 : tensor<2xf32>>
  %d = nn.constant #nn.dense<2.0 : tensor<2xf32>>
  %0 = nn.concat %c, %d {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
