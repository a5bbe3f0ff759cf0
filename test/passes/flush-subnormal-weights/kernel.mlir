// RUN: autodeploy-opt --flush-subnormal-weights %s | filecheck %s

// Constants in a kernel are weights, too.

func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = nn.kernel(%x) : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%a: tensor<3xf32>):
    %w = nn.constant #nn.dense<1.0e-40 : tensor<f32>>
    %b = nn.max %a, %w : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    nn.yield %b : tensor<3xf32>
  }
  func.return %y : tensor<3xf32>
}

// CHECK:      nn.constant #nn.dense<0.0 : tensor<f32>>
// CHECK-NEXT: nn.max
