// RUN: autodeploy-opt %s --fuse-tanh-gate | filecheck %s

// The three ways in which exporters group the product.

func.func @term_last(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @half_last(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %one, %e : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %h = nn.mul %t, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %half, %h : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @x_last(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %half, %t : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %h, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

// CHECK:      func.func @term_last(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %0 = nn.add %y, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %p = nn.gate %x, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %p : tensor<8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @half_last(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %0 = nn.add %y, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %p = nn.gate %x, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %p : tensor<8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @x_last(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %0 = nn.add %y, %y : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   %p = nn.gate %x, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %p : tensor<8xf32>
// CHECK-NEXT: }
