// RUN: not autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels 2>&1 | filecheck %s

// A given template of the device is refused for a kernel that the device cannot run.

func.func @f(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %y = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.cumsum %i {axis = 1 : i64} : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  func.return %y : tensor<4x16xf32>
}

// CHECK: error: 'nn.kernel' op template device_plain is not for this kernel: a scan has one step after another [config_c1]
