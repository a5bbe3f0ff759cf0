// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Halide converts halves as if there were no nan: a comparison takes them as they are.

func.func @f(%x: tensor<4xf16>, %z: tensor<4xf16>) -> tensor<4xi1> {
  %y = nn.kernel(%x, %z) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1> {
  ^bb0(%x_: tensor<4xf16>, %z_: tensor<4xf16>):
    %v = nn.less %x_, %z_ : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
    nn.yield %v : tensor<4xi1>
  }
  func.return %y : tensor<4xi1>
}

// CHECK:          %2 = halide.lt %0, %1 : f16
// CHECK:          %3 = halide.strict %2 : i1
// CHECK:          halide.yield %3 : i1
