// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-tanh-gate | diff %t -

// What must stay as it is.

func.func @other_half(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.25 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @other_one(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<2.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %one, %e : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %h = nn.mul %t, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %half, %h : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @other_function(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.erf %y : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %half, %t : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %h, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @tanh_is_output(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p, %e : tensor<8xf32>, tensor<8xf32>
}

func.func @term_has_two_users(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %one, %e : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %h = nn.mul %t, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %half, %h : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %r = nn.add %p, %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

func.func @product_is_output(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<8xf32>) -> tensor<8xf32>
  %t = nn.add %e, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %h = nn.mul %half, %t : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %p = nn.mul %h, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %p, %h : tensor<8xf32>, tensor<8xf32>
}

func.func @gate_is_repeated(%x: tensor<8xf32>, %y: tensor<1xf32>) -> tensor<8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<1xf32>) -> tensor<1xf32>
  %t = nn.add %e, %one : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  func.return %p : tensor<8xf32>
}

func.func @gated_is_repeated(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = nn.constant #nn.dense<0.5 : tensor<f32>>
  %one = nn.constant #nn.dense<1.0 : tensor<f32>>
  %e = nn.tanh %y : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %t = nn.add %e, %one : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %h = nn.mul %x, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %p = nn.mul %h, %t : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %p : tensor<4x8xf32>
}
