// RUN: autodeploy-opt %s --fuse-gelu | filecheck %s

// The three ways in which exporters group the product, and the two in which they scale x.

func.func @x_times_half_first(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @x_times_term_first(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %h, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @half_times_term_first(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %inv = nn.constant #nn.dense<0.70710677 : tensor<f32>>
  %q = nn.mul %inv, %x : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %one, %e : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %h = nn.mul %half, %t : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %h, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

// CHECK:      func.func @x_times_half_first(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %p = nn.gelu %x : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %p : tensor<8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @x_times_term_first(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %p = nn.gelu %x : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %p : tensor<8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @half_times_term_first(%x: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:   %p = nn.gelu %x : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:   func.return %p : tensor<8xf32>
// CHECK-NEXT: }
