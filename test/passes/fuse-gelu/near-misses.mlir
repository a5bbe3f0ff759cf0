// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-gelu | diff %t -

// What must stay as it is.

func.func @other_x(%x: tensor<8xf32>, %z: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %z, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @inner_product_is_output(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p, %h : tensor<8xf32>, tensor<8xf32>
}

func.func @erf_has_two_users(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r = nn.add %p, %e : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

func.func @quotient_is_output(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p, %q : tensor<8xf32>, tensor<8xf32>
}

func.func @only_two_factors(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %x, %two : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %x, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @swapped_quotient(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %two = nn.constant #nn.dense<1.4142135 : tensor<f32>>
  %q = nn.div %two, %x : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}
