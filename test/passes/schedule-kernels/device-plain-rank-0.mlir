// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// One thread computes the only element.

func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %y = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<f32>) -> tensor<f32> {
  ^bb0(%i: tensor<f32>):
    %r = nn.relu %i : (tensor<f32>) -> tensor<f32>
    nn.yield %r : tensor<f32>
  }
  func.return %y : tensor<f32>
}

// CHECK: halide.gpu_single_thread %out : !halide.func<f32, 0>
