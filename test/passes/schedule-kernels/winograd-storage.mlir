// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// The 36 points of a tile lie as far apart as all tiles of a band. With 32 tiles of 64 channels that is 8192 bytes:
// all would share one set of the first-level cache, which has eight ways. With memory for one tile more there are
// sixteen sets.

func.func @a_power_of_two(%x: tensor<1x64x64x64xf32>, %w: tensor<2x6x6x64x32xf32>) -> tensor<1x64x64x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4], rows = [2], channels = [32]>} : (tensor<1x64x64x64xf32>, tensor<2x6x6x64x32xf32>) -> tensor<1x64x64x64xf32> {
  ^bb0(%x_: tensor<1x64x64x64xf32>, %w_: tensor<2x6x6x64x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x64x64x64xf32>, tensor<2x6x6x64x32xf32>) -> tensor<1x64x64x64xf32>
    nn.yield %v : tensor<1x64x64x64xf32>
  }
  func.return %y : tensor<1x64x64x64xf32>
}

// CHECK-LABEL: @conv_0
// CHECK: halide.bound_storage %input_tiles "t" extent 33
// CHECK: halide.bound_storage %products "t" extent 33

// 14 tiles of 64 channels take 3584 bytes, and each of eight sets has five points at most.

func.func @no_power_of_two(%x: tensor<1x56x56x64xf32>, %w: tensor<2x6x6x64x32xf32>) -> tensor<1x56x56x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4], rows = [1], channels = [32]>} : (tensor<1x56x56x64xf32>, tensor<2x6x6x64x32xf32>) -> tensor<1x56x56x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<2x6x6x64x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>, winograd = 4 : i64} : (tensor<1x56x56x64xf32>, tensor<2x6x6x64x32xf32>) -> tensor<1x56x56x64xf32>
    nn.yield %v : tensor<1x56x56x64xf32>
  }
  func.return %y : tensor<1x56x56x64xf32>
}

// CHECK-LABEL: @conv_1
// CHECK-NOT: halide.bound_storage
