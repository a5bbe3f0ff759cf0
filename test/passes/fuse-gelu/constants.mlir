// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-gelu | diff %t -

// A number that is another one is no part of gelu.

func.func @third(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.333 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @two(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<2.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @root_three(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.732 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @not_constant(%x: tensor<8xf32>, %half: tensor<f32>) -> tensor<8xf32> {
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}
