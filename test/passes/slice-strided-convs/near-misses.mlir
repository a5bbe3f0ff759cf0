// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --slice-strided-convs=winograd=true | filecheck %s

// Each of these convolutions stays as it is. With stride 2, constant weights of its own, even channels and enough
// pixels, 1x27x28x256 to 1x14x14x512 does not.

// CHECK-NOT: nn.slice

// Few pixels share the weights.
func.func @few_pixels(%x: tensor<1x3x3x256xf32>) -> tensor<1x2x2x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x512xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x3x3x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x2x2x512xf32>
  func.return %y : tensor<1x2x2x512xf32>
}

// A product of few steps is no cheaper by Strassen's algorithm.
func.func @few_channels(%x: tensor<1x56x56x32xf32>) -> tensor<1x28x28x64xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x32x64xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x32xf32>, tensor<1x1x32x64xf32>) -> tensor<1x28x28x64xf32>
  func.return %y : tensor<1x28x28x64xf32>
}

// An odd number of channels has no halves.
func.func @odd_inputs(%x: tensor<1x27x28x255xf32>) -> tensor<1x14x14x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x255x512xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x255xf32>, tensor<1x1x255x512xf32>) -> tensor<1x14x14x512xf32>
  func.return %y : tensor<1x14x14x512xf32>
}

// Nor has an odd number of channels of the result.
func.func @odd_outputs(%x: tensor<1x27x28x256xf32>) -> tensor<1x14x14x511xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x511xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x256xf32>, tensor<1x1x256x511xf32>) -> tensor<1x14x14x511xf32>
  func.return %y : tensor<1x14x14x511xf32>
}

// Without a stride it is a product as it is.
func.func @no_stride(%x: tensor<1x14x14x256xf32>) -> tensor<1x14x14x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x512xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x14x14x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32>
  func.return %y : tensor<1x14x14x512xf32>
}

// Some pixels are zeros.
func.func @padded(%x: tensor<1x27x28x256xf32>) -> tensor<1x15x15x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x512xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x15x15x512xf32>
  func.return %y : tensor<1x15x15x512xf32>
}

// A pixel is computed from several.
func.func @window(%x: tensor<1x27x28x256xf32>) -> tensor<1x14x14x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<3x3x256x512xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x256xf32>, tensor<3x3x256x512xf32>) -> tensor<1x14x14x512xf32>
  func.return %y : tensor<1x14x14x512xf32>
}

// Each group is a product of its own.
func.func @groups(%x: tensor<1x27x28x256xf32>) -> tensor<1x14x14x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x128x512xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, groups = 2 : i64} : (tensor<1x27x28x256xf32>, tensor<1x1x128x512xf32>) -> tensor<1x14x14x512xf32>
  func.return %y : tensor<1x14x14x512xf32>
}

// The weights are no constant.
func.func @weights(%x: tensor<1x27x28x256xf32>, %w: tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32> {
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32>
  func.return %y : tensor<1x14x14x512xf32>
}

// 16 bits would lose digits of the sums.
func.func @halves(%x: tensor<1x27x28x256xf16>) -> tensor<1x14x14x512xf16> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x512xf16>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x256xf16>, tensor<1x1x256x512xf16>) -> tensor<1x14x14x512xf16>
  func.return %y : tensor<1x14x14x512xf16>
}

// The kernel makes the image itself.
func.func @made(%x: tensor<1x27x28x256xf32>) -> tensor<1x14x14x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x512xf32>>
  %y = nn.kernel(%x, %w) : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32> {
  ^bb0(%a: tensor<1x27x28x256xf32>, %v: tensor<1x1x256x512xf32>):
    %r = nn.relu %a : (tensor<1x27x28x256xf32>) -> tensor<1x27x28x256xf32>
    %c = nn.conv %r, %v {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32>
    nn.yield %c : tensor<1x14x14x512xf32>
  }
  func.return %y : tensor<1x14x14x512xf32>
}

// What is added is that of a row of pixels: the result is no matrix of rows that are alike.
func.func @addend(%x: tensor<1x27x28x256xf32>, %r: tensor<1x14x1x512xf32>) -> tensor<1x14x14x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x512xf32>>
  %y = nn.kernel(%x, %w, %r) : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>, tensor<1x14x1x512xf32>) -> tensor<1x14x14x512xf32> {
  ^bb0(%a: tensor<1x27x28x256xf32>, %v: tensor<1x1x256x512xf32>, %b: tensor<1x14x1x512xf32>):
    %c = nn.conv %a, %v {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32>
    %s = nn.add %c, %b : (tensor<1x14x14x512xf32>, tensor<1x14x1x512xf32>) -> tensor<1x14x14x512xf32>
    nn.yield %s : tensor<1x14x14x512xf32>
  }
  func.return %y : tensor<1x14x14x512xf32>
}

// Only a run knows how many images there are.
func.func @open(%x: tensor<4x27x28x256xf32>) -> tensor<4x14x14x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x512xf32>>
  %y = nn.kernel(%x, %w) {open = [array<i64: 1, 0, 0, 0>, array<i64: 0, 0, 0, 0>, array<i64: 1, 0, 0, 0>]} : (tensor<4x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<4x14x14x512xf32> {
  ^bb0(%a: tensor<4x27x28x256xf32>, %v: tensor<1x1x256x512xf32>):
    %c = nn.conv %a, %v {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<4x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<4x14x14x512xf32>
    nn.yield %c : tensor<4x14x14x512xf32>
  }
  func.return %y : tensor<4x14x14x512xf32>
}

// It has a config, as of a record.
func.func @configured(%x: tensor<1x27x28x256xf32>) -> tensor<1x14x14x512xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x1x256x512xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32> {
  ^bb0(%a: tensor<1x27x28x256xf32>, %v: tensor<1x1x256x512xf32>):
    %c = nn.conv %a, %v {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x27x28x256xf32>, tensor<1x1x256x512xf32>) -> tensor<1x14x14x512xf32>
    nn.yield %c : tensor<1x14x14x512xf32>
  }
  func.return %y : tensor<1x14x14x512xf32>
}
