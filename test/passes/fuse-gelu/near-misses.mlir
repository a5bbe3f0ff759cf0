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

func.func @term_is_output(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %inv = nn.constant #nn.dense<0.70710677 : tensor<f32>>
  %q = nn.mul %inv, %x : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %one, %e : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %h = nn.mul %half, %t : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %x, %h : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p, %t : tensor<8xf32>, tensor<8xf32>
}

func.func @half_twice(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %inv = nn.constant #nn.dense<0.70710677 : tensor<f32>>
  %q = nn.mul %inv, %x : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %one, %e : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %h = nn.mul %half, %t : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %half, %h : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @term_less_one(%x: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %inv = nn.constant #nn.dense<0.70710677 : tensor<f32>>
  %q = nn.mul %x, %inv : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.sub %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %t, %h : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @widened(%x: tensor<8xf32>) -> tensor<2x8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<2x1xf32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %inv = nn.constant #nn.dense<0.70710677 : tensor<f32>>
  %q = nn.mul %x, %inv : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %e = nn.erf %q : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %p = nn.mul %t, %h : (tensor<8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  func.return %p : tensor<2x8xf32>
}
