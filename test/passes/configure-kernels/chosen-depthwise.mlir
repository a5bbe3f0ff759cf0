// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Two vectors of channels by three pixels of two rows; of the window one loop is unrolled, and channels are the outermost loop.

func.func @f(%x: tensor<1x8x12x40xf32>, %w: tensor<3x3x1x40xf32>) -> tensor<1x8x12x40xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<depthwise, tile = [16, 3, 2], order = [x, y, c], unroll = [1]>} : (tensor<1x8x12x40xf32>, tensor<3x3x1x40xf32>) -> tensor<1x8x12x40xf32> {
  ^bb0(%i: tensor<1x8x12x40xf32>, %k: tensor<3x3x1x40xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 40 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x12x40xf32>, tensor<3x3x1x40xf32>) -> tensor<1x8x12x40xf32>
    nn.yield %v : tensor<1x8x12x40xf32>
  }
  func.return %y : tensor<1x8x12x40xf32>
}

// CHECK:      config<depthwise, tile = [16, 3, 2], order = [x, y, c], unroll = [1]>
// CHECK:      halide.split %out "c" to "co", "ct" by 16 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 4>
// CHECK-NEXT: halide.split %out "x" to "xo", "xt" by 3 : !halide.func<f32, 4>
// CHECK-NEXT: halide.split %out "y" to "yo", "yt" by 2 : !halide.func<f32, 4>
// CHECK-NEXT: halide.reorder %out ["ct", "xt", "yt", "xo", "yo", "co", "n"] : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %out "ct" by 8 : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %out "ct" : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %out "xt" : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %out "yt" : !halide.func<f32, 4>
// CHECK-NEXT: halide.compute_at %conv at %out "xo" : !halide.func<f32, 4> at !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %conv "c" by 8 : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %conv "c" : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %conv "x" : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %conv "y" : !halide.func<f32, 4>
// CHECK-NEXT: halide.reorder %conv ["c", "x", "y", "kx", "ky"] {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %conv "c" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %conv "c" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %conv "x" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %conv "y" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %conv "kx" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: }
