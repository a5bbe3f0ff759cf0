// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Less or equal, not the negation of greater, which would hold for nan.

func.func @f(%x: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xi1> {
  %y = nn.kernel(%x, %z) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1> {
  ^bb0(%x_: tensor<4xf32>, %z_: tensor<4xf32>):
    %v = nn.less_equal %x_, %z_ : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    nn.yield %v : tensor<4xi1>
  }
  func.return %y : tensor<4xi1>
}

// CHECK:          %2 = halide.lt %0, %1 : f32
// CHECK:          %3 = halide.eq %0, %1 : f32
// CHECK:          %4 = halide.or %2, %3 : i1
// CHECK:          halide.yield %4 : i1
