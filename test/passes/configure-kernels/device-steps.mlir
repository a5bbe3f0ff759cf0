// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=cuda --place-kernels --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=opencl-amd --place-kernels --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=aarch64-neon:device=opencl-mali --place-kernels --configure-kernels | filecheck %s --check-prefix=MALI
// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=opencl --place-kernels --configure-kernels | filecheck %s --check-prefix=OTHER

// A thread of CUDA, or of a named device of OpenCL, reads the left-hand side of four steps of the sums at once, or of
// two. Nothing is read so where no such number divides the steps, or where they are no neighbours: a transposed matrix,
// the channels of groups. A thread of Mali has registers for four vectors of sums, and seven rows no such divisor but 1.

// MALI:     tile = [4, 1], threads = [2, 7], steps = [4]
// MALI:     tile = [4, 1], threads = [2, 7], steps = [2]
// MALI-NOT: steps

// OTHER-NOT: steps

// CHECK: config = #nn.config<device_tile, tile = [4, 7], threads = [2, 1], steps = [4]>
func.func @four(%x: tensor<7x12xf32>, %w: tensor<12x8xf32>) -> tensor<7x8xf32> {
  %y = nn.kernel(%x, %w) : (tensor<7x12xf32>, tensor<12x8xf32>) -> tensor<7x8xf32> {
  ^bb0(%i: tensor<7x12xf32>, %j: tensor<12x8xf32>):
    %r = nn.matmul %i, %j : (tensor<7x12xf32>, tensor<12x8xf32>) -> tensor<7x8xf32>
    nn.yield %r : tensor<7x8xf32>
  }
  func.return %y : tensor<7x8xf32>
}

// -----

// CHECK: config = #nn.config<device_tile, tile = [4, 7], threads = [2, 1], steps = [2]>
func.func @two(%x: tensor<7x6xf32>, %w: tensor<6x8xf32>) -> tensor<7x8xf32> {
  %y = nn.kernel(%x, %w) : (tensor<7x6xf32>, tensor<6x8xf32>) -> tensor<7x8xf32> {
  ^bb0(%i: tensor<7x6xf32>, %j: tensor<6x8xf32>):
    %r = nn.matmul %i, %j : (tensor<7x6xf32>, tensor<6x8xf32>) -> tensor<7x8xf32>
    nn.yield %r : tensor<7x8xf32>
  }
  func.return %y : tensor<7x8xf32>
}

// -----

// CHECK: config = #nn.config<device_tile, tile = [4, 7], threads = [2, 1]>
func.func @odd(%x: tensor<7x5xf32>, %w: tensor<5x8xf32>) -> tensor<7x8xf32> {
  %y = nn.kernel(%x, %w) : (tensor<7x5xf32>, tensor<5x8xf32>) -> tensor<7x8xf32> {
  ^bb0(%i: tensor<7x5xf32>, %j: tensor<5x8xf32>):
    %r = nn.matmul %i, %j : (tensor<7x5xf32>, tensor<5x8xf32>) -> tensor<7x8xf32>
    nn.yield %r : tensor<7x8xf32>
  }
  func.return %y : tensor<7x8xf32>
}

// -----

// CHECK: config = #nn.config<device_tile, tile = [4, 7], threads = [2, 1]>
func.func @transposed(%x: tensor<12x7xf32>, %w: tensor<12x8xf32>) -> tensor<7x8xf32> {
  %y = nn.kernel(%x, %w) : (tensor<12x7xf32>, tensor<12x8xf32>) -> tensor<7x8xf32> {
  ^bb0(%i: tensor<12x7xf32>, %j: tensor<12x8xf32>):
    %r = nn.matmul %i, %j {transpose_lhs = true} : (tensor<12x7xf32>, tensor<12x8xf32>) -> tensor<7x8xf32>
    nn.yield %r : tensor<7x8xf32>
  }
  func.return %y : tensor<7x8xf32>
}

// -----

// CHECK: config = #nn.config<device_tile, tile = [4, 4], threads = [2, 1]>
func.func @groups(%x: tensor<1x6x6x8xf32>, %w: tensor<8x4x3x3xf32>) -> tensor<1x4x4x8xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x6x6x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%i: tensor<1x6x6x8xf32>, %j: tensor<8x4x3x3xf32>):
    %r = nn.conv %i, %j {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>} : (tensor<1x6x6x8xf32>, tensor<8x4x3x3xf32>) -> tensor<1x4x4x8xf32>
    nn.yield %r : tensor<1x4x4x8xf32>
  }
  func.return %y : tensor<1x4x4x8xf32>
}
