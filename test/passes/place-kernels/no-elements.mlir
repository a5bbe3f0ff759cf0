// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s

// There is no block of memory without a byte.

func.func @f(%x: tensor<0x16xf32>) -> tensor<0x16xf32> {
  %y = nn.kernel(%x) : (tensor<0x16xf32>) -> tensor<0x16xf32> {
  ^bb0(%i: tensor<0x16xf32>):
    %r = nn.relu %i : (tensor<0x16xf32>) -> tensor<0x16xf32>
    nn.yield %r : tensor<0x16xf32>
  }
  func.return %y : tensor<0x16xf32>
}

// CHECK: %y = nn.kernel(%x) {halide.on_host = "it has no elements"} :
