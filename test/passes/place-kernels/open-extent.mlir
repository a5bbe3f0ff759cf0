// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s

// A kernel whose extent each run states is for the device, too.

func.func @f(%x: tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>) -> tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>> {
  %y = nn.kernel(%x) : (tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>) -> tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>> {
  ^bb0(%i: tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>):
    %r = nn.relu %i : (tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>) -> tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>
    nn.yield %r : tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>
  }
  func.return %y : tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>
}

// CHECK: %y = nn.kernel(%x) {config = #nn.config<device_plain>} :
