// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Halves are compared in single precision, like all that is computed of them.

func.func @f(%x: tensor<4xf16>, %z: tensor<4xf16>) -> tensor<4xi1> {
  %y = nn.kernel(%x, %z) : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1> {
  ^bb0(%x_: tensor<4xf16>, %z_: tensor<4xf16>):
    %v = nn.less %x_, %z_ : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xi1>
    nn.yield %v : tensor<4xi1>
  }
  func.return %y : tensor<4xi1>
}

// CHECK:          %2 = halide.cast %0 : f16 to f32
// CHECK:          %3 = halide.cast %1 : f16 to f32
// CHECK:          %4 = halide.lt %2, %3 : f32
// CHECK:          halide.yield %4 : i1
