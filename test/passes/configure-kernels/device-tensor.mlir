// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=cuda-sm_87 --configure-kernels | filecheck %s

// The device has 16 multiprocessors. A tile is the largest one that gives each of them a block. If the smallest tiles
// are too few, the sums are split, as long as each part has 64 steps.

func.func @large(%a: tensor<512x256xf32>, %b: tensor<256x512xf32>) -> tensor<512x512xf32> {
  %0 = nn.kernel(%a, %b) {config = #nn.config<device_tensor, products = [tf32]>} : (tensor<512x256xf32>, tensor<256x512xf32>) -> tensor<512x512xf32> {
  ^bb0(%i: tensor<512x256xf32>, %j: tensor<256x512xf32>):
    %r = nn.matmul %i, %j : (tensor<512x256xf32>, tensor<256x512xf32>) -> tensor<512x512xf32>
    nn.yield %r : tensor<512x512xf32>
  }
  func.return %0 : tensor<512x512xf32>
}

// CHECK: config = #nn.config<device_tensor, tile = [64, 128], split = [1], products = [tf32]>

// -----

func.func @small(%a: tensor<2x20x256xf32>, %b: tensor<2x256x48xf32>) -> tensor<2x20x48xf32> {
  %0 = nn.kernel(%a, %b) {config = #nn.config<device_tensor, products = [tf32]>} : (tensor<2x20x256xf32>, tensor<2x256x48xf32>) -> tensor<2x20x48xf32> {
  ^bb0(%i: tensor<2x20x256xf32>, %j: tensor<2x256x48xf32>):
    %r = nn.matmul %i, %j : (tensor<2x20x256xf32>, tensor<2x256x48xf32>) -> tensor<2x20x48xf32>
    nn.yield %r : tensor<2x20x48xf32>
  }
  func.return %0 : tensor<2x20x48xf32>
}

// CHECK: config = #nn.config<device_tensor, tile = [32, 32], split = [4], products = [tf32]>

// -----

func.func @image(%x: tensor<1x9x9x96xf32>, %w: tensor<3x3x96x32xf32>) -> tensor<1x7x7x32xf32> {
  %0 = nn.kernel(%x, %w) {config = #nn.config<device_tensor, tile = [32, 64], products = [f16]>} : (tensor<1x9x9x96xf32>, tensor<3x3x96x32xf32>) -> tensor<1x7x7x32xf32> {
  ^bb0(%i: tensor<1x9x9x96xf32>, %j: tensor<3x3x96x32xf32>):
    %r = nn.conv %i, %j {layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x9x9x96xf32>, tensor<3x3x96x32xf32>) -> tensor<1x7x7x32xf32>
    nn.yield %r : tensor<1x7x7x32xf32>
  }
  func.return %0 : tensor<1x7x7x32xf32>
}

// CHECK: config = #nn.config<device_tensor, tile = [32, 64], split = [1], products = [f16]>
