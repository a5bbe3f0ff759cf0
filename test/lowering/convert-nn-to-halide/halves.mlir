// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Halves are computed in single precision and rounded once; comparisons take them as they are.

func.func @f(%x: tensor<4xf16>) -> tensor<4xf16> {
  %y = nn.kernel(%x) : (tensor<4xf16>) -> tensor<4xf16> {
  ^bb0(%x_: tensor<4xf16>):
    %v = nn.sqrt %x_ : (tensor<4xf16>) -> tensor<4xf16>
    nn.yield %v : tensor<4xf16>
  }
  func.return %y : tensor<4xf16>
}

// CHECK:          %1 = halide.cast %0 : f16 to f32
// CHECK:          %2 = halide.sqrt %1 : f32
// CHECK:          %3 = halide.cast %2 : f32 to f16
// CHECK:          halide.yield %3 : f16
