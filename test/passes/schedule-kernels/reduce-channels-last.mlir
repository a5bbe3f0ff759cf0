// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A global pool over a channels-last image: channels are vectors of sums, several side by side.

func.func @f(%x: tensor<1x9x9x32xf32>) -> tensor<1x32xf32> {
  %y = nn.kernel(%x) {config = #nn.config<row>} : (tensor<1x9x9x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%x_: tensor<1x9x9x32xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction mean>, axes = array<i64: 1, 2>} : (tensor<1x9x9x32xf32>) -> tensor<1x32xf32>
    nn.yield %v : tensor<1x32xf32>
  }
  func.return %y : tensor<1x32xf32>
}

// CHECK:      halide.split %out "x" to "xo", "xi" by 32 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %out "xi" to "xv", "xi" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "xv" : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %out "xi" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %reduce_mean at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %reduce_mean "x" extent 32 : !halide.func<f32, 4>
// CHECK:      halide.split %reduce_mean "x" to "xo", "xi" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %reduce_mean "xi" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %reduce_mean "xo" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.reorder %reduce_mean ["xi", "xo", "r2", "r1", "y", "z", "w"] {stage = 1 : i64} : !halide.func<f32, 4>
