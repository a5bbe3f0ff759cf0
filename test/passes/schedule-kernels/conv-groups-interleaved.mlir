// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefixes=BOTH,ONE
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefixes=BOTH,TWO

// Two groups of 4 channels make a tile of 8 lanes. The image is copied pixel by pixel, for as many rows as
// stay near, and all groups are computed for them; bands divide the rows, and cores share as many of them. A
// filter of 9 KB is not waited for.

func.func @f(%x: tensor<1x40x40x64xf32>, %w: tensor<8x3x3x4x8xf32>) -> tensor<1x40x40x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x40x40x64xf32>, tensor<8x3x3x4x8xf32>) -> tensor<1x40x40x64xf32> {
  ^bb0(%x_: tensor<1x40x40x64xf32>, %w_: tensor<8x3x3x4x8xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 16 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 8 interleaved 2>} : (tensor<1x40x40x64xf32>, tensor<8x3x3x4x8xf32>) -> tensor<1x40x40x64xf32>
    nn.yield %v : tensor<1x40x40x64xf32>
  }
  func.return %y : tensor<1x40x40x64xf32>
}

// ONE:       config<grouped_conv, tile = [8, 8], order = [x, y, c], unroll = [3], rows = [20]>
// TWO:       config<grouped_conv, tile = [8, 8], order = [x, y, c], unroll = [3], rows = [20], parallel = [y], group = [1]>
// BOTH:      halide.bound %conv "c" from 0 extent 8 : !halide.func<f32, 5>
// BOTH-NEXT: halide.split %out "c" to "co", "ct" by 8 : !halide.func<f32, 4>
// BOTH:      halide.split %out "y" to "yo", "yt" by 20 : !halide.func<f32, 4>
// BOTH-NEXT: halide.reorder %out ["ct", "xt", "xo", "yt", "co", "yo", "n"] : !halide.func<f32, 4>
// BOTH-NEXT: halide.reorder %padded ["c", "p", "x", "y", "n"] : !halide.func<f32, 5>
// BOTH-NEXT: halide.vectorize %padded "c" by 8 : !halide.func<f32, 5>
// BOTH-NEXT: halide.compute_at %padded at %out "yo"
// TWO:       halide.parallel %out "yo"
