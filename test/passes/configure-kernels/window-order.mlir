// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// An order names each axis of a tile once.

func.func @f(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %y = nn.kernel(%x) {config = #nn.config<window, order = [c, x]>} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  ^bb0(%i: tensor<1x8x8x32xf32>):
    %v = nn.max_pool %i {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    nn.yield %v : tensor<1x8x8x32xf32>
  }
  func.return %y : tensor<1x8x8x32xf32>
}

// CHECK: error: 'nn.kernel' op knob order of window is one of [c, x, y], [x, c, y], [x, y, c], found #nn.config<window, order = [c, x]>
