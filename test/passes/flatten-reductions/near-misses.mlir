// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --flatten-reductions | diff %t -

// A sum of floats is rounded in an order.

func.func @sum(%x: tensor<3x5xf32>) -> tensor<f32> {
  %y = nn.kernel(%x) : (tensor<3x5xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<3x5xf32>):
    %m = nn.reduce %a {kind = #nn<reduction sum>, axes = array<i64: 0, 1>} : (tensor<3x5xf32>) -> tensor<f32>
    nn.yield %m : tensor<f32>
  }
  func.return %y : tensor<f32>
}

// A mean of integers is rounded, too.

func.func @mean(%x: tensor<3x5xi32>) -> tensor<i32> {
  %y = nn.kernel(%x) : (tensor<3x5xi32>) -> tensor<i32> {
  ^bb0(%a: tensor<3x5xi32>):
    %m = nn.reduce %a {kind = #nn<reduction mean>, axes = array<i64: 0, 1>} : (tensor<3x5xi32>) -> tensor<i32>
    nn.yield %m : tensor<i32>
  }
  func.return %y : tensor<i32>
}

// An axis stays.

func.func @rows(%x: tensor<2x3x5xf32>) -> tensor<2xf32> {
  %y = nn.kernel(%x) : (tensor<2x3x5xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2x3x5xf32>):
    %m = nn.reduce %a {kind = #nn<reduction max>, axes = array<i64: 1, 2>} : (tensor<2x3x5xf32>) -> tensor<2xf32>
    nn.yield %m : tensor<2xf32>
  }
  func.return %y : tensor<2xf32>
}

// Axes of one element stay.

func.func @kept(%x: tensor<3x5xf32>) -> tensor<1x1xf32> {
  %y = nn.kernel(%x) : (tensor<3x5xf32>) -> tensor<1x1xf32> {
  ^bb0(%a: tensor<3x5xf32>):
    %m = nn.reduce %a {kind = #nn<reduction max>, axes = array<i64: 0, 1>, keepdims = true} : (tensor<3x5xf32>) -> tensor<1x1xf32>
    nn.yield %m : tensor<1x1xf32>
  }
  func.return %y : tensor<1x1xf32>
}

// The kernel computes the elements.

func.func @computed(%x: tensor<3x5xf32>) -> tensor<f32> {
  %y = nn.kernel(%x) : (tensor<3x5xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<3x5xf32>):
    %b = nn.abs %a : (tensor<3x5xf32>) -> tensor<3x5xf32>
    %m = nn.reduce %b {kind = #nn<reduction max>, axes = array<i64: 0, 1>} : (tensor<3x5xf32>) -> tensor<f32>
    nn.yield %m : tensor<f32>
  }
  func.return %y : tensor<f32>
}
