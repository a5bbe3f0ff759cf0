// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s

// An extent that each run states keeps a kernel on the processor.

func.func @f(%x: tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>) -> tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>> {
  %y = nn.kernel(%x) : (tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>) -> tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>> {
  ^bb0(%i: tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>):
    %r = nn.relu %i : (tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>) -> tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>
    nn.yield %r : tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>
  }
  func.return %y : tensor<4x16xf32, #nn.extents<[d0, 16], "n", 1 to 4>>
}

// CHECK: %y = nn.kernel(%x) {halide.on_host = "it has an open extent"} :
