// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A thread has no registers for sums that a loop adds up one by one, nor for the lanes of a long
// row: these have threads of their own, in a start before. The lanes of a short row are a thread's.

func.func @f(%x: tensor<1x16x128x32xf32>, %z: tensor<8x512xf32>, %v: tensor<8x100xf32>) -> (tensor<1x32xf32>, tensor<8xf32>, tensor<8xf32>) {
  %a = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<1x16x128x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%i: tensor<1x16x128x32xf32>):
    %r = nn.reduce %i {kind = #nn<reduction mean>, axes = array<i64: 1, 2>} : (tensor<1x16x128x32xf32>) -> tensor<1x32xf32>
    nn.yield %r : tensor<1x32xf32>
  }
  %b = nn.kernel(%z) {config = #nn.config<device_plain>} : (tensor<8x512xf32>) -> tensor<8xf32> {
  ^bb0(%i: tensor<8x512xf32>):
    %r = nn.reduce %i {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<8x512xf32>) -> tensor<8xf32>
    nn.yield %r : tensor<8xf32>
  }
  %c = nn.kernel(%v) {config = #nn.config<device_plain>} : (tensor<8x100xf32>) -> tensor<8xf32> {
  ^bb0(%i: tensor<8x100xf32>):
    %r = nn.reduce %i {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<8x100xf32>) -> tensor<8xf32>
    nn.yield %r : tensor<8xf32>
  }
  func.return %a, %b, %c : tensor<1x32xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: halide.pipeline @reduce_0
// CHECK: halide.compute_at %reduce_mean at %out "x_y_t" : !halide.func<f32, 4> at !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_root %reduce_mean_parts : !halide.func<f32, 4>
// CHECK: halide.gpu_blocks %reduce_mean_parts ["x_y_z_w_b"] : !halide.func<f32, 4>
// CHECK: halide.gpu_threads %reduce_mean_parts ["x_y_z_w_t"] {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-LABEL: halide.pipeline @reduce_1
// CHECK: halide.compute_root %reduce_sum_lanes
// CHECK-LABEL: halide.pipeline @reduce_2
// CHECK: halide.compute_at %reduce_sum_lanes at %out
