// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=4 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A narrow vector of channels by two pixels; the loop over pixels is the innermost one, and one core computes all.

func.func @f(%x: tensor<1x64x64x32xf32>) -> tensor<1x64x64x32xf32> {
  %y = nn.kernel(%x) {config = #nn.config<window, tile = [4, 2, 1], order = [x, c, y], unroll = [0], shares = []>} : (tensor<1x64x64x32xf32>) -> tensor<1x64x64x32xf32> {
  ^bb0(%i: tensor<1x64x64x32xf32>):
    %v = nn.max_pool %i {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x64x64x32xf32>) -> tensor<1x64x64x32xf32>
    nn.yield %v : tensor<1x64x64x32xf32>
  }
  func.return %y : tensor<1x64x64x32xf32>
}

// CHECK:      config<window, tile = [4, 2, 1], order = [x, c, y], unroll = [0], shares = []>
// CHECK:      halide.split %out "c" to "co", "ct" by 4 : !halide.func<f32, 4>
// CHECK-NEXT: halide.split %out "x" to "xo", "xt" by 2 : !halide.func<f32, 4>
// CHECK-NEXT: halide.reorder %out ["ct", "xt", "xo", "co", "y", "n"] : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %out "ct" : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %out "xt" : !halide.func<f32, 4>
// CHECK-NEXT: halide.compute_at %max_pool at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %max_pool "c" by 4 : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %max_pool "x" : !halide.func<f32, 4>
// CHECK-NEXT: halide.reorder %max_pool ["c", "x", "k1", "k0"] {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %max_pool "c" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %max_pool "x" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: }
