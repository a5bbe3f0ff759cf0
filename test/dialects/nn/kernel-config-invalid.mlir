// RUN: autodeploy-opt %s --convert-nn-to-halide --split-input-file --verify-diagnostics

// The config of a kernel fits it, where the kernel is lowered.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @unknown(%x: tensor<64x60xf32>) -> tensor<64x60xf32> {
    // expected-error@+1 {{unknown template 'plane'; did you mean 'plain'?; known are amx, attention, copy, depthwise, device_plain, device_tensor, device_tile, direct_conv, gemm, gemv, grouped_conv, lrn, plain, row, row_bands, scaled, window, winograd [config_c1]}}
    %y = nn.kernel(%x) {config = #nn.config<plane>} : (tensor<64x60xf32>) -> tensor<64x60xf32> {
    ^bb0(%i: tensor<64x60xf32>):
      %v = nn.exp %i : (tensor<64x60xf32>) -> tensor<64x60xf32>
      nn.yield %v : tensor<64x60xf32>
    }
    func.return %y : tensor<64x60xf32>
  }
}

// -----

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @other(%x: tensor<64x60xf32>) -> tensor<64x60xf32> {
    // expected-error@+1 {{template gemm is not for a kernel of nn.exp [config_c1]}}
    %y = nn.kernel(%x) {config = #nn.config<gemm, tile = [8, 4]>} : (tensor<64x60xf32>) -> tensor<64x60xf32> {
    ^bb0(%i: tensor<64x60xf32>):
      %v = nn.exp %i : (tensor<64x60xf32>) -> tensor<64x60xf32>
      nn.yield %v : tensor<64x60xf32>
    }
    func.return %y : tensor<64x60xf32>
  }
}

// -----

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @knob(%x: tensor<64x60xf32>) -> tensor<64x60xf32> {
    // expected-error@+1 {{template plain has no knob 'tile' here; known are vector, unroll [config_c2]}}
    %y = nn.kernel(%x) {config = #nn.config<plain, vector = [32], unroll = [2], tile = [8, 4]>} : (tensor<64x60xf32>) -> tensor<64x60xf32> {
    ^bb0(%i: tensor<64x60xf32>):
      %v = nn.exp %i : (tensor<64x60xf32>) -> tensor<64x60xf32>
      nn.yield %v : tensor<64x60xf32>
    }
    func.return %y : tensor<64x60xf32>
  }
}

// -----

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @value(%x: tensor<64x60xf32>) -> tensor<64x60xf32> {
    // expected-error@+1 {{knob unroll of plain is one of [1], [2], [4], [8], found #nn.config<plain, vector = [32], unroll = [3]> [config_c3]}}
    %y = nn.kernel(%x) {config = #nn.config<plain, vector = [32], unroll = [3]>} : (tensor<64x60xf32>) -> tensor<64x60xf32> {
    ^bb0(%i: tensor<64x60xf32>):
      %v = nn.exp %i : (tensor<64x60xf32>) -> tensor<64x60xf32>
      nn.yield %v : tensor<64x60xf32>
    }
    func.return %y : tensor<64x60xf32>
  }
}

// -----

// A tile that exceeds the channels would write before them.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @tile(%x: tensor<1x12x12x3xf32>, %w: tensor<1x3x3x3x8xf32>) -> tensor<1x10x10x8xf32> {
    // expected-error@+1 {{knob tile of direct_conv is one of [8, 1], [8, 2], [8, 3], [8, 4], [8, 5], [8, 6], [8, 7], [8, 8], …, found #nn.config<direct_conv, tile = [16, 28], pack = [8], order = [x, c, y], unroll = [3]> [config_c3]}}
    %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [16, 28], pack = [8], order = [x, c, y], unroll = [3]>} : (tensor<1x12x12x3xf32>, tensor<1x3x3x3x8xf32>) -> tensor<1x10x10x8xf32> {
    ^bb0(%i: tensor<1x12x12x3xf32>, %k: tensor<1x3x3x3x8xf32>):
      %c = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 8>} : (tensor<1x12x12x3xf32>, tensor<1x3x3x3x8xf32>) -> tensor<1x10x10x8xf32>
      nn.yield %c : tensor<1x10x10x8xf32>
    }
    func.return %y : tensor<1x10x10x8xf32>
  }
}

// -----

// A filter that is packed stays packed as it is.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @packed(%x: tensor<1x12x12x3xf32>, %w: tensor<1x3x3x3x8xf32>) -> tensor<1x10x10x8xf32> {
    // expected-error@+1 {{knob pack of direct_conv is one of [8], found #nn.config<direct_conv, tile = [8, 10], pack = [4], order = [x, c, y], unroll = [3]> [config_c3]}}
    %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [8, 10], pack = [4], order = [x, c, y], unroll = [3]>} : (tensor<1x12x12x3xf32>, tensor<1x3x3x3x8xf32>) -> tensor<1x10x10x8xf32> {
    ^bb0(%i: tensor<1x12x12x3xf32>, %k: tensor<1x3x3x3x8xf32>):
      %c = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 8>} : (tensor<1x12x12x3xf32>, tensor<1x3x3x3x8xf32>) -> tensor<1x10x10x8xf32>
      nn.yield %c : tensor<1x10x10x8xf32>
    }
    func.return %y : tensor<1x10x10x8xf32>
  }
}

// -----

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @together(%x: tensor<64x60xf32>) -> tensor<64x60xf32> {
    // expected-error@+1 {{8 vectors have 64 elements, and a row has 60, found #nn.config<plain, vector = [32], unroll = [8]> [config_c4]}}
    %y = nn.kernel(%x) {config = #nn.config<plain, vector = [32], unroll = [8]>} : (tensor<64x60xf32>) -> tensor<64x60xf32> {
    ^bb0(%i: tensor<64x60xf32>):
      %v = nn.exp %i : (tensor<64x60xf32>) -> tensor<64x60xf32>
      nn.yield %v : tensor<64x60xf32>
    }
    func.return %y : tensor<64x60xf32>
  }
}

// -----

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @missing(%x: tensor<64x60xf32>) -> tensor<64x60xf32> {
    // expected-error@+1 {{knob unroll is missing, found #nn.config<plain, vector = [32]> [config_c5]}}
    %y = nn.kernel(%x) {config = #nn.config<plain, vector = [32]>} : (tensor<64x60xf32>) -> tensor<64x60xf32> {
    ^bb0(%i: tensor<64x60xf32>):
      %v = nn.exp %i : (tensor<64x60xf32>) -> tensor<64x60xf32>
      nn.yield %v : tensor<64x60xf32>
    }
    func.return %y : tensor<64x60xf32>
  }
}

// -----

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @unpacked(%x: tensor<1x12x12x3xf32>) -> tensor<1x10x10x8xf32> {
    %w = nn.constant #nn.dense<0.5 : tensor<3x3x3x8xf32>>
    // expected-error@+1 {{weights of nn.conv are not packed by #nn.config<direct_conv, tile = [8, 10], pack = [8], order = [x, c, y], unroll = [3]> [config_c6]}}
    %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [8, 10], pack = [8], order = [x, c, y], unroll = [3]>} : (tensor<1x12x12x3xf32>, tensor<3x3x3x8xf32>) -> tensor<1x10x10x8xf32> {
    ^bb0(%i: tensor<1x12x12x3xf32>, %k: tensor<3x3x3x8xf32>):
      %c = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x12x12x3xf32>, tensor<3x3x3x8xf32>) -> tensor<1x10x10x8xf32>
      nn.yield %c : tensor<1x10x10x8xf32>
    }
    func.return %y : tensor<1x10x10x8xf32>
  }
}

// -----

// Only the plain template has a schedule that needs no knobs.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  func.func @none(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
    // expected-error@+1 {{knob tile is missing, found #nn.config<gemm> [config_c5]}}
    %y = nn.kernel(%x, %w) {config = #nn.config<gemm>} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32> {
    ^bb0(%i: tensor<4x8xf32>, %k: tensor<8x8xf32>):
      %v = nn.matmul %i, %k : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
      nn.yield %v : tensor<4x8xf32>
    }
    func.return %y : tensor<4x8xf32>
  }
}
