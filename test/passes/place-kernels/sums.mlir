// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s

// Sums of a type that the device lacks keep a product on the processor, although all operands are f32.

func.func @f(%x: tensor<2x8xf32>, %m: tensor<8x4xf32>) -> tensor<2x4xf32> {
  %y = nn.kernel(%x, %m) : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32> {
  ^bb0(%i: tensor<2x8xf32>, %j: tensor<8x4xf32>):
    %r = nn.matmul %i, %j {accumulator = f64} : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
    nn.yield %r : tensor<2x4xf32>
  }
  func.return %y : tensor<2x4xf32>
}

// CHECK: %y = nn.kernel(%x, %m) {halide.on_host = "the device has no f64"} :
