// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Anything but zero is true, nan too; Halide would take the lowest bit.

func.func @f(%x: tensor<4xf32>) -> tensor<4xi1> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xi1> {
  ^bb0(%x_: tensor<4xf32>):
    %v = nn.cast %x_ : (tensor<4xf32>) -> tensor<4xi1>
    nn.yield %v : tensor<4xi1>
  }
  func.return %y : tensor<4xi1>
}

// CHECK:          %1 = halide.const 0.0 : f32
// CHECK:          %2 = halide.eq %0, %1 : f32
// CHECK:          %3 = halide.not %2 : i1
// CHECK:          halide.yield %3 : i1
