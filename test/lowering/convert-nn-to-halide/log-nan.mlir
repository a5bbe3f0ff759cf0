// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Halide's log is for numbers; a line below the logarithm stands in for nan and inf.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>):
    %v = nn.log %x_ : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK:          %1 = halide.const 4.70197740328915e-38 : f32
// CHECK:          %2 = halide.mul %0, %1 : f32
// CHECK:          %3 = halide.const 20.0 : f32
// CHECK:          %4 = halide.sub %2, %3 : f32
// CHECK:          %5 = halide.const 1.0 : f32
// CHECK:          %6 = halide.lt %0, %5 : f32
// CHECK:          %7 = halide.log %0 : f32
// CHECK:          %8 = halide.max %7, %4 : f32
// CHECK:          %9 = halide.select %6, %7, %8 : f32
// CHECK:          %10 = halide.strict %9 : f32
// CHECK:          halide.yield %10 : f32
