// RUN: autodeploy-opt %s --set-machine=machine=x86-64 --place-kernels | filecheck %s

// The processor has all kernels of a machine without a device, and no reason is given.

func.func @f(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %y = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.relu %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  func.return %y : tensor<4x16xf32>
}

// CHECK-NOT: config
// CHECK-NOT: halide.on_host
// CHECK:     %y = nn.kernel(%x) : 
