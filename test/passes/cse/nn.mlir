// RUN: autodeploy-opt --cse %s | filecheck %s

// CHECK-LABEL: @equal_ops
// CHECK-NEXT: %c = nn.constant
// CHECK-NEXT: %0 = nn.add %x, %c
// CHECK-NEXT: func.return %0, %0
func.func @equal_ops(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = nn.constant #nn.dense<2.0 : tensor<f32>>
  %d = nn.constant #nn.dense<2.0 : tensor<f32>>
  %0 = nn.add %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = nn.add %x, %d : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @equal_weights
// CHECK-NEXT: %c = nn.constant
// CHECK-NEXT: func.return %c, %c
func.func @equal_weights() -> (tensor<64xf32>, tensor<64xf32>) {
  %c = nn.constant #nn.weight<"0123456789abcdef0123456789abcdef" : tensor<64xf32>>
  %d = nn.constant #nn.weight<"0123456789abcdef0123456789abcdef" : tensor<64xf32>>
  func.return %c, %d : tensor<64xf32>, tensor<64xf32>
}

// 0.0 and -0.0, two settings, two types of one set of bytes, and operands the other way round.
// CHECK-LABEL: @different
// CHECK-COUNT-4: nn.constant
// CHECK-COUNT-2: nn.leaky_relu
// CHECK-COUNT-2: nn.sub
func.func @different(%x: tensor<f32>, %y: tensor<f32>) -> () {
  %0 = nn.constant #nn.dense<0.0 : tensor<f32>>
  %1 = nn.constant #nn.dense<-0.0 : tensor<f32>>
  %2 = nn.constant #nn.dense<0 : tensor<i32>>
  %3 = nn.constant #nn.dense<0 : tensor<1xi32>>
  %4 = nn.leaky_relu %x {alpha = 0.1 : f64} : (tensor<f32>) -> tensor<f32>
  %5 = nn.leaky_relu %x {alpha = 0.2 : f64} : (tensor<f32>) -> tensor<f32>
  %6 = nn.sub %x, %y : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %7 = nn.sub %y, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "test.op"(%0, %1, %2, %3, %4, %5, %6, %7) : (tensor<f32>, tensor<f32>, tensor<i32>, tensor<1xi32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> ()
  func.return
}
