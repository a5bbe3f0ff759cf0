// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Bounds are those integers that bound as much, within the type.

func.func @f(%x: tensor<4xui8>) -> tensor<4xui8> {
  %y = nn.kernel(%x) : (tensor<4xui8>) -> tensor<4xui8> {
  ^bb0(%x_: tensor<4xui8>):
    %v = nn.clip %x_ {min = -0.5 : f64, max = 300.5 : f64} : (tensor<4xui8>) -> tensor<4xui8>
    nn.yield %v : tensor<4xui8>
  }
  func.return %y : tensor<4xui8>
}

// CHECK:          %1 = halide.const 0 : ui8
// CHECK:          %2 = halide.max %1, %0 : ui8
// CHECK:          %3 = halide.const 255 : ui8
// CHECK:          %4 = halide.min %3, %2 : ui8
// CHECK:          halide.yield %4 : ui8
