// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Numbers that several elements of the result read, as the largest of a row and the sum, come first, from kernels of their own.

func.func @f(%x: tensor<4x50xf32>) -> tensor<4x50xf32> {
  %y = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<4x50xf32>) -> tensor<4x50xf32> {
  ^bb0(%i: tensor<4x50xf32>):
    %r = nn.softmax %i {axis = 1 : i64} : (tensor<4x50xf32>) -> tensor<4x50xf32>
    nn.yield %r : tensor<4x50xf32>
  }
  func.return %y : tensor<4x50xf32>
}

// CHECK: halide.gpu_blocks %out ["x_y_b"] : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %out ["x_y_t"] : !halide.func<f32, 2>
// CHECK: halide.compute_root %total : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %total ["x_y_b"] : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %total ["x_y_t"] : !halide.func<f32, 2>
// CHECK: halide.compute_root %total_lanes : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %total_lanes ["lane_y_b"] : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %total_lanes ["lane_y_t"] : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %total_lanes ["lane_y_b"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %total_lanes ["lane_y_t"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK: halide.compute_root %largest : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %largest ["x_y_b"] : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %largest ["x_y_t"] : !halide.func<f32, 2>
// CHECK: halide.compute_root %largest_lanes : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %largest_lanes ["lane_y_b"] : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %largest_lanes ["lane_y_t"] : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %largest_lanes ["lane_y_b"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %largest_lanes ["lane_y_t"] {stage = 1 : i64} : !halide.func<f32, 2>
