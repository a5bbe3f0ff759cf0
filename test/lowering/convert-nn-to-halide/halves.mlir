// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Halves are computed in single precision; each op rounds its result, and a nan stays a nan.

func.func @f(%x: tensor<4xf16>) -> tensor<4xf16> {
  %y = nn.kernel(%x) : (tensor<4xf16>) -> tensor<4xf16> {
  ^bb0(%x_: tensor<4xf16>):
    %r = nn.sqrt %x_ : (tensor<4xf16>) -> tensor<4xf16>
    %v = nn.neg %r : (tensor<4xf16>) -> tensor<4xf16>
    nn.yield %v : tensor<4xf16>
  }
  func.return %y : tensor<4xf16>
}

// CHECK:          %1 = halide.cast %0 : f16 to f32
// CHECK:          %2 = halide.sqrt %1 : f32
// CHECK:          %3 = halide.eq %2, %2 : f32
// CHECK:          %4 = halide.cast %2 : f32 to f16
// CHECK:          %5 = halide.const nan : f16
// CHECK:          %6 = halide.select %3, %4, %5 : f16
// CHECK:          %7 = halide.cast %6 : f16 to f32
// CHECK:          halide.cast %{{.*}} : f32 to f16
