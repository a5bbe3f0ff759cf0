// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Each element has a thread; the last block does nothing after the last element.

func.func @f(%x: tensor<4x50xf32>) -> tensor<4x50xf32> {
  %y = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<4x50xf32>) -> tensor<4x50xf32> {
  ^bb0(%i: tensor<4x50xf32>):
    %r = nn.relu %i : (tensor<4x50xf32>) -> tensor<4x50xf32>
    nn.yield %r : tensor<4x50xf32>
  }
  func.return %y : tensor<4x50xf32>
}

// CHECK: halide.fuse %out "x", "y" to "x_y" : !halide.func<f32, 2>
// CHECK: halide.split %out "x_y" to "x_y_b", "x_y_t" by 64 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %out ["x_y_b"] : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %out ["x_y_t"] : !halide.func<f32, 2>
