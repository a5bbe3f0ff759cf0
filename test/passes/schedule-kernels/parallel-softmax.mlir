// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// The axis of a softmax is an inner loop: never it, but a loop around it is parallel.

func.func @f(%x: tensor<1x64x80x80xf32>) -> tensor<1x64x80x80xf32> {
  %y = nn.kernel(%x) {config = #nn.config<row>} : (tensor<1x64x80x80xf32>) -> tensor<1x64x80x80xf32> {
  ^bb0(%x_: tensor<1x64x80x80xf32>):
    %v = nn.softmax %x_ {axis = 1 : i64} : (tensor<1x64x80x80xf32>) -> tensor<1x64x80x80xf32>
    nn.yield %v : tensor<1x64x80x80xf32>
  }
  func.return %y : tensor<1x64x80x80xf32>
}

// CHECK:     halide.reorder %out ["xi", "z", "xo", "y", "w"] : !halide.func<f32, 4>
// CHECK:     halide.parallel %out "y" : !halide.func<f32, 4>
// CHECK-NOT: halide.parallel
