// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Each of several results has threads of its own.

func.func @f(%x: tensor<4x50xf32>) -> (tensor<4x50xf32>, tensor<4x50xf32>) {
  %y, %z = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<4x50xf32>) -> (tensor<4x50xf32>, tensor<4x50xf32>) {
  ^bb0(%i: tensor<4x50xf32>):
    %r = nn.relu %i : (tensor<4x50xf32>) -> tensor<4x50xf32>
    %s = nn.exp %r : (tensor<4x50xf32>) -> tensor<4x50xf32>
    nn.yield %r, %s : tensor<4x50xf32>, tensor<4x50xf32>
  }
  func.return %y, %z : tensor<4x50xf32>, tensor<4x50xf32>
}

// CHECK: halide.fuse %out0 "x", "y" to "x_y" : !halide.func<f32, 2>
// CHECK: halide.split %out0 "x_y" to "x_y_b", "x_y_t" by 64 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %out0 ["x_y_b"] : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %out0 ["x_y_t"] : !halide.func<f32, 2>
// CHECK: halide.fuse %out1 "x", "y" to "x_y" : !halide.func<f32, 2>
// CHECK: halide.split %out1 "x_y" to "x_y_b", "x_y_t" by 64 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %out1 ["x_y_b"] : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %out1 ["x_y_t"] : !halide.func<f32, 2>
