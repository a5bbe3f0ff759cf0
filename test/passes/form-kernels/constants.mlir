// RUN: autodeploy-opt %s --form-kernels | filecheck %s

// A constant of one number moves inside, unless something outside needs it too.

func.func @moved(%x: tensor<8xf32>) -> tensor<8xf32> {
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %a = nn.mul %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  func.return %a : tensor<8xf32>
}

func.func @copied(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<1xf32>) {
  %two = nn.constant #nn.dense<2.0 : tensor<1xf32>>
  %a = nn.mul %x, %two : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  func.return %a, %two : tensor<8xf32>, tensor<1xf32>
}

func.func @operand(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] : tensor<8xf32>>
  %a = nn.mul %x, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %a : tensor<8xf32>
}

// CHECK:      func.func @moved(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %a = nn.kernel(%x) : (tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<8xf32>):
// CHECK-NEXT:     %two = nn.constant #nn.dense<2.0 : tensor<f32>>
// CHECK-NEXT:     %a_1 = nn.mul %x_1, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT:     nn.yield %a_1 : tensor<8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %a : tensor<8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @copied(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<1xf32>) {
// CHECK-NEXT:   %two = nn.constant #nn.dense<[2.0] : tensor<1xf32>>
// CHECK-NEXT:   %a = nn.kernel(%x) : (tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<8xf32>):
// CHECK-NEXT:     %two_1 = nn.constant #nn.dense<[2.0] : tensor<1xf32>>
// CHECK-NEXT:     %a_1 = nn.mul %x_1, %two_1 : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
// CHECK-NEXT:     nn.yield %a_1 : tensor<8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %a, %two : tensor<8xf32>, tensor<1xf32>
// CHECK-NEXT: }

// CHECK:      func.func @operand(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] : tensor<8xf32>>
// CHECK-NEXT:   %a = nn.kernel(%x, %c) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<8xf32>, %c_1: tensor<8xf32>):
// CHECK-NEXT:     %a_1 = nn.mul %x_1, %c_1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:     nn.yield %a_1 : tensor<8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %a : tensor<8xf32>
// CHECK-NEXT: }
