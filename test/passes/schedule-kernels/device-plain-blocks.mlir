// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// More blocks than a grid has along an axis are two axes of blocks.

func.func @f(%x: tensor<70000x64xf32>) -> tensor<70000x64xf32> {
  %y = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<70000x64xf32>) -> tensor<70000x64xf32> {
  ^bb0(%i: tensor<70000x64xf32>):
    %r = nn.relu %i : (tensor<70000x64xf32>) -> tensor<70000x64xf32>
    nn.yield %r : tensor<70000x64xf32>
  }
  func.return %y : tensor<70000x64xf32>
}

// CHECK: halide.fuse %out "x", "y" to "x_y" : !halide.func<f32, 2>
// CHECK: halide.split %out "x_y" to "x_y_b", "x_y_t" by 64 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// CHECK: halide.split %out "x_y_b" to "x_y_bb", "x_y_b" by 32768 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// CHECK: halide.gpu_blocks %out ["x_y_b", "x_y_bb"] : !halide.func<f32, 2>
// CHECK: halide.gpu_threads %out ["x_y_t"] : !halide.func<f32, 2>
