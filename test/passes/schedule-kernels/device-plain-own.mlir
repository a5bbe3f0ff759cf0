// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A sum that one element alone reads belongs to its thread, which adds it up alone.

func.func @f(%x: tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  %y = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32> {
  ^bb0(%i: tensor<1x8x8x4xf32>):
    %r = nn.average_pool %i {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
    nn.yield %r : tensor<1x4x4x4xf32>
  }
  func.return %y : tensor<1x4x4x4xf32>
}

// CHECK: halide.fuse %out "c", "x" to "c_x" : !halide.func<f32, 4>
// CHECK: halide.fuse %out "c_x", "y" to "c_x_y" : !halide.func<f32, 4>
// CHECK: halide.fuse %out "c_x_y", "n" to "c_x_y_n" : !halide.func<f32, 4>
// CHECK: halide.split %out "c_x_y_n" to "c_x_y_n_b", "c_x_y_n_t" by 64 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// CHECK: halide.gpu_blocks %out ["c_x_y_n_b"] : !halide.func<f32, 4>
// CHECK: halide.gpu_threads %out ["c_x_y_n_t"] : !halide.func<f32, 4>
// CHECK: halide.compute_at %sum_pool at %out "c_x_y_n_t" : !halide.func<f32, 4> at !halide.func<f32, 4>
