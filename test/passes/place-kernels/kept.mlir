// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s

// A config that a kernel has stays, for the processor or for the device.

func.func @f(%x: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %y = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.relu %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %z = nn.kernel(%x) {config = #nn.config<device_plain, threads = [16]>} : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.exp %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  func.return %y, %z : tensor<4x16xf32>, tensor<4x16xf32>
}

// CHECK: %y = nn.kernel(%x) {config = #nn.config<plain>} :
// CHECK: %z = nn.kernel(%x) {config = #nn.config<device_plain, threads = [16]>} :
