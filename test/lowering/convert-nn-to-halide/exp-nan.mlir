// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Halide's exp is for numbers: nan and inf take the other branch.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>):
    %v = nn.exp %x_ : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK:          %1 = halide.const 89.0 : f32
// CHECK:          %2 = halide.lt %0, %1 : f32
// CHECK:          %3 = halide.exp %0 : f32
// CHECK:          %4 = halide.const inf : f32
// CHECK:          %5 = halide.add %0, %4 : f32
// CHECK:          %6 = halide.select %2, %3, %5 : f32
// CHECK:          %7 = halide.strict %6 : f32
// CHECK:          halide.yield %7 : f32
