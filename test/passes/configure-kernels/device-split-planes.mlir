// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda --place-kernels --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda --place-kernels --configure-kernels --configure-kernels | filecheck %s

// Sums of an image with channels first are not read in vectors. They are split all the same, into parts that vectors
// would not divide.

func.func @f(%x: tensor<1x24x9x9xf32>, %w: tensor<8x24x3x3xf32>) -> tensor<1x8x7x7xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x24x9x9xf32>, tensor<8x24x3x3xf32>) -> tensor<1x8x7x7xf32> {
  ^bb0(%i: tensor<1x24x9x9xf32>, %j: tensor<8x24x3x3xf32>):
    %r = nn.conv %i, %j : (tensor<1x24x9x9xf32>, tensor<8x24x3x3xf32>) -> tensor<1x8x7x7xf32>
    nn.yield %r : tensor<1x8x7x7xf32>
  }
  func.return %y : tensor<1x8x7x7xf32>
}

// CHECK: config = #nn.config<device_tile, tile = [1, 7], threads = [7, 1], split = [4]>
