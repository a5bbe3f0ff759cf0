// RUN: autodeploy-opt %s -split-input-file --set-machine=machine=x86-64:device=opencl --place-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// An element of a padded image with the channels first is for all lanes of a vector of channels.

func.func @main(%x: tensor<1x3x8x8xf32>, %w: tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32> {
  %r = nn.kernel(%x, %w) : (tensor<1x3x8x8xf32>, tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32> {
  ^bb0(%x_: tensor<1x3x8x8xf32>, %w_: tensor<3x3x3x16xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout first_to_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x3x8x8xf32>, tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32>
    nn.yield %v : tensor<1x8x8x16xf32>
  }
  func.return %r : tensor<1x8x8x16xf32>
}

// CHECK:      %padded = halide.func "padded"(x %x, y %y, c %c, n %n)
// CHECK:      halide.vectorize %out "ci"
// CHECK:      halide.vectorize %conv "c"
// CHECK:      halide.vectorize %conv "c" {stage = 1 : i64}

// -----

// A vector of pixels is not along a padded row: at its ends it would be a part of one.

func.func @main(%x: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32> {
  %r = nn.kernel(%x, %w) : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32> {
  ^bb0(%x_: tensor<1x3x8x8xf32>, %w_: tensor<16x3x3x3xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32>
    nn.yield %v : tensor<1x16x8x8xf32>
  }
  func.return %r : tensor<1x16x8x8xf32>
}

// CHECK:      %padded = halide.func "padded"(x %x, y %y, c %c, n %n)
// CHECK-NOT:  halide.vectorize
