// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s

// A kernel of floats of 32 bits runs on the device of the machine, and says nothing else. Sums of bytes are integers.

func.func @f(%x: tensor<4x16xf32>, %c: tensor<2x8xui8>, %d: tensor<8x4xui8>) -> (tensor<4x16xf32>, tensor<2x4xi32>) {
  %y = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.relu %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %z = nn.kernel(%c, %d) : (tensor<2x8xui8>, tensor<8x4xui8>) -> tensor<2x4xi32> {
  ^bb0(%i: tensor<2x8xui8>, %j: tensor<8x4xui8>):
    %r = nn.matmul %i, %j {accumulator = i32} : (tensor<2x8xui8>, tensor<8x4xui8>) -> tensor<2x4xi32>
    nn.yield %r : tensor<2x4xi32>
  }
  func.return %y, %z : tensor<4x16xf32>, tensor<2x4xi32>
}

// CHECK: %y = nn.kernel(%x) {config = #nn.config<device_plain>} :
// CHECK: %z = nn.kernel(%c, %d) {config = #nn.config<device_tile>} :
