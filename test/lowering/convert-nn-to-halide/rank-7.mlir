// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// Variables have names for every rank.

func.func @f(%x: tensor<2x1x3x1x2x1x5xf32>) -> tensor<2x3x3x2x2x1x5xf32> {
  %y = nn.broadcast %x : (tensor<2x1x3x1x2x1x5xf32>) -> tensor<2x3x3x2x2x1x5xf32>
  func.return %y : tensor<2x3x3x2x2x1x5xf32>
}

// CHECK: halide.func "out"(x %x, y %y, z %z, w %w, u %u, v %v, d6 %d6) in [5, 1, 2, 2, 3, 3, 2] : f32 {
// CHECK: halide.load %in0[%x, %{{[0-9]+}}, %z, %{{[0-9]+}}, %u, %{{[0-9]+}}, %d6]
