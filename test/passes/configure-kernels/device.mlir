// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels=plain=true | filecheck %s
// RUN: not autodeploy-opt %s --set-machine=machine=x86-64 --configure-kernels 2>&1 | filecheck %s --check-prefix=LACKS
// RUN: not autodeploy-opt %s --set-machine=machine=x86-64 --configure-kernels=plain=true 2>&1 | filecheck %s --check-prefix=LACKS

// The template of a device has as many threads as every device of the kind offers, and is for a machine that has one.

func.func @f(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %y = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.relu %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  func.return %y : tensor<4x16xf32>
}

// CHECK: %y = nn.kernel(%x) {config = #nn.config<device_plain, threads = [64]>} :
// LACKS: error: 'nn.kernel' op template device_plain is not for this kernel: machine 'x86-64' has no device [config_c1]
