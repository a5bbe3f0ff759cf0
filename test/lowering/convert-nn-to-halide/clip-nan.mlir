// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Both bounds are first operands; the upper one wins where they cross.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>):
    %v = nn.clip %x_ {min = 0.0 : f64, max = 6.0 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK:          %1 = halide.const 0.0 : f32
// CHECK:          %2 = halide.max %1, %0 : f32
// CHECK:          %3 = halide.const 6.0 : f32
// CHECK:          %4 = halide.min %3, %2 : f32
// CHECK:          halide.yield %4 : f32
