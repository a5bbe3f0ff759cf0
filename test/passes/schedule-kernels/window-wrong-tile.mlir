// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --convert-nn-to-halide --schedule-kernels 2>&1 | filecheck %s

// Where configure-kernels has not checked the knobs, what lowers the kernel does.

func.func @f(%x: tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  %y = nn.kernel(%x) {config = #nn.config<window, tile = [8, 2, 1], order = [c, c, y], unroll = [0]>} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32> {
  ^bb0(%i: tensor<1x8x8x32xf32>):
    %v = nn.max_pool %i {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
    nn.yield %v : tensor<1x8x8x32xf32>
  }
  func.return %y : tensor<1x8x8x32xf32>
}

// CHECK: error: 'nn.kernel' op kernel 'y': knob order of window is one of [c, x, y], [x, c, y], [x, y, c], found #nn.config<window, tile = [8, 2, 1], order = [c, c, y], unroll = [0]> [config_c3]
