// RUN: autodeploy-opt %s --form-kernels --fuse-channel-shuffles --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels --split-input-file | filecheck %s

// Four steps of the reduction make a whole turn: where their channels stand is known.

func.func @four(%x: tensor<1x8x8x48xf32>, %w: tensor<1x1x12x64xf32>) -> tensor<1x8x8x64xf32> {
  %s_a = nn.reshape %x : (tensor<1x8x8x48xf32>) -> tensor<1x8x8x4x12xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x8x8x4x12xf32>) -> tensor<1x8x8x12x4xf32>
  %s = nn.reshape %s_t : (tensor<1x8x8x12x4xf32>) -> tensor<1x8x8x48xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x8x48xf32>, tensor<1x1x12x64xf32>) -> tensor<1x8x8x64xf32>
  func.return %y : tensor<1x8x8x64xf32>
}

// CHECK-LABEL: config<grouped_conv
// CHECK:         halide.unroll %conv "ci" by 4 {stage = 1 : i64}

// -----

// Two turns.

func.func @two(%x: tensor<1x8x8x24xf32>, %w: tensor<1x1x12x32xf32>) -> tensor<1x8x8x32xf32> {
  %s_a = nn.reshape %x : (tensor<1x8x8x24xf32>) -> tensor<1x8x8x2x12xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x8x8x2x12xf32>) -> tensor<1x8x8x12x2xf32>
  %s = nn.reshape %s_t : (tensor<1x8x8x12x2xf32>) -> tensor<1x8x8x24xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x8x24xf32>, tensor<1x1x12x32xf32>) -> tensor<1x8x8x32xf32>
  func.return %y : tensor<1x8x8x32xf32>
}

// CHECK-LABEL: config<grouped_conv
// CHECK:         halide.unroll %conv "ci" by 4 {stage = 1 : i64}

// -----

// Half a turn.

func.func @eight(%x: tensor<1x8x8x64xf32>, %w: tensor<1x1x8x128xf32>) -> tensor<1x8x8x128xf32> {
  %s_a = nn.reshape %x : (tensor<1x8x8x64xf32>) -> tensor<1x8x8x8x8xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x8x8x8x8xf32>) -> tensor<1x8x8x8x8xf32>
  %s = nn.reshape %s_t : (tensor<1x8x8x8x8xf32>) -> tensor<1x8x8x64xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 8 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x8x64xf32>, tensor<1x1x8x128xf32>) -> tensor<1x8x8x128xf32>
  func.return %y : tensor<1x8x8x128xf32>
}

// CHECK-LABEL: config<grouped_conv
// CHECK:         halide.unroll %conv "ci" by 4 {stage = 1 : i64}

// -----

// Near miss: the channels of four steps in turns of three would be computed one by one, and many loads hoisted.

func.func @three(%x: tensor<1x8x8x36xf32>, %w: tensor<1x1x12x48xf32>) -> tensor<1x8x8x48xf32> {
  %s_a = nn.reshape %x : (tensor<1x8x8x36xf32>) -> tensor<1x8x8x3x12xf32>
  %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x8x8x3x12xf32>) -> tensor<1x8x8x12x3xf32>
  %s = nn.reshape %s_t : (tensor<1x8x8x12x3xf32>) -> tensor<1x8x8x36xf32>
  %y = nn.conv %s, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 3 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x8x36xf32>, tensor<1x1x12x48xf32>) -> tensor<1x8x8x48xf32>
  func.return %y : tensor<1x8x8x48xf32>
}

// CHECK-LABEL: config<grouped_conv
// CHECK-NOT:     halide.unroll %conv "ci"
// CHECK:         func.func @three
