// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// The constant is the first operand: of a strict max the second one wins on nan.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>):
    %v = nn.relu %x_ : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK:          %1 = halide.const 0.0 : f32
// CHECK:          %2 = halide.max %1, %0 : f32
// CHECK:          halide.yield %2 : f32
