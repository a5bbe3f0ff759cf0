// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels --configure-kernels | filecheck %s

// A product of one column has no tiles: each of its elements is the work of a thread.

func.func @f(%x: tensor<4x8xf32>, %w: tensor<8x1xf32>, %v: tensor<8x2xf32>) -> (tensor<4x1xf32>, tensor<4x2xf32>) {
  %y = nn.kernel(%x, %w) : (tensor<4x8xf32>, tensor<8x1xf32>) -> tensor<4x1xf32> {
  ^bb0(%i: tensor<4x8xf32>, %j: tensor<8x1xf32>):
    %r = nn.matmul %i, %j : (tensor<4x8xf32>, tensor<8x1xf32>) -> tensor<4x1xf32>
    nn.yield %r : tensor<4x1xf32>
  }
  %z = nn.kernel(%x, %v) : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32> {
  ^bb1(%i: tensor<4x8xf32>, %j: tensor<8x2xf32>):
    %r = nn.matmul %i, %j : (tensor<4x8xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
    nn.yield %r : tensor<4x2xf32>
  }
  func.return %y, %z : tensor<4x1xf32>, tensor<4x2xf32>
}

// CHECK: %y = nn.kernel(%x, %w) {config = #nn.config<device_plain, threads = [64]>}
// CHECK: %z = nn.kernel(%x, %v) {config = #nn.config<device_tile, tile = [2, 4], threads = [1, 1]>}
