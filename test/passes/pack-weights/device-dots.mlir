// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=cuda --place-kernels --configure-kernels --pack-weights | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=opencl-intel --place-kernels --configure-kernels --pack-weights | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=opencl --place-kernels --configure-kernels --pack-weights | filecheck %s --check-prefix=OTHER

// Devices add up the products of four neighbours by one instruction, so these are side by side in the weights, too.
// Not every device of OpenCL has such an instruction.

// OTHER-NOT: dot
// OTHER-NOT: 1 by 4

// CHECK-LABEL: @product
// CHECK: nn.constant #nn.dense<[1, 3, 5, 7, 2, 4, 6, 8] : tensor<4x2xi8>>
// CHECK: nn.transpose
// CHECK: config = #nn.config<device_tile, tile = [2, 3], threads = [1, 1], dot = [4]>
// CHECK: rhs_layout = #nn.tiled<[0, 1], 0 by 4>
func.func @product(%x: tensor<3x4xui8>) -> tensor<3x2xi32> {
  %w = nn.constant #nn.dense<[1, 3, 5, 7, 2, 4, 6, 8] : tensor<4x2xi8>>
  %y = nn.kernel(%x, %w) : (tensor<3x4xui8>, tensor<4x2xi8>) -> tensor<3x2xi32> {
  ^bb0(%i: tensor<3x4xui8>, %j: tensor<4x2xi8>):
    %r = nn.matmul %i, %j {accumulator = i32} : (tensor<3x4xui8>, tensor<4x2xi8>) -> tensor<3x2xi32>
    nn.yield %r : tensor<3x2xi32>
  }
  func.return %y : tensor<3x2xi32>
}

// -----

// CHECK-LABEL: @conv
// CHECK: dot = [4]
// CHECK: filter_layout = #nn.tiled<[2, 3, 1, 0], 1 by 4>
func.func @conv(%x: tensor<1x5x5x8xi8>) -> tensor<1x5x5x6xi32> {
  %w = nn.constant #nn.dense<1 : tensor<3x3x8x6xi8>>
  %y = nn.kernel(%x, %w) : (tensor<1x5x5x8xi8>, tensor<3x3x8x6xi8>) -> tensor<1x5x5x6xi32> {
  ^bb0(%i: tensor<1x5x5x8xi8>, %j: tensor<3x3x8x6xi8>):
    %r = nn.conv %i, %j {pads = array<i64: 1, 1, 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x5x5x8xi8>, tensor<3x3x8x6xi8>) -> tensor<1x5x5x6xi32>
    nn.yield %r : tensor<1x5x5x6xi32>
  }
  func.return %y : tensor<1x5x5x6xi32>
}
