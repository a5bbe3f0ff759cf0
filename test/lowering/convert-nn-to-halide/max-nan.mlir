// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Where neither is larger nor both equal, one is nan and so is the sum.

func.func @f(%x: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x, %z) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>, %z_: tensor<4xf32>):
    %v = nn.max %x_, %z_ : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK:          %2 = halide.lt %0, %1 : f32
// CHECK:          %3 = halide.lt %1, %0 : f32
// CHECK:          %4 = halide.eq %0, %1 : f32
// CHECK:          %5 = halide.or %3, %4 : i1
// CHECK:          %6 = halide.add %0, %1 : f32
// CHECK:          %7 = halide.select %5, %0, %6 : f32
// CHECK:          %8 = halide.select %2, %1, %7 : f32
// CHECK:          halide.yield %8 : f32
