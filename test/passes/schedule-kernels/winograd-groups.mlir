// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=1M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:l2=32k --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=SMALL
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2:l2=1M --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=CORES

// Blocks of whole groups are outermost: each pads and transforms its own inputs. Bands of a block follow each
// other, and all together fetch the same point of the filter of the next block. The image of a block is padded at
// once, a band of it where it does not stay in the cache. Two cores have a band each, with all groups.

func.func @f(%x: tensor<1x14x14x320xf32>, %w: tensor<20x6x6x16x16xf32>) -> tensor<1x14x14x320xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<winograd, transform = [4]>} : (tensor<1x14x14x320xf32>, tensor<20x6x6x16x16xf32>) -> tensor<1x14x14x320xf32> {
  ^bb0(%x_: tensor<1x14x14x320xf32>, %w_: tensor<20x6x6x16x16xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 20 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 16>, winograd = 4 : i64} : (tensor<1x14x14x320xf32>, tensor<20x6x6x16x16xf32>) -> tensor<1x14x14x320xf32>
    nn.yield %v : tensor<1x14x14x320xf32>
  }
  func.return %y : tensor<1x14x14x320xf32>
}

// CHECK: halide.reorder %out ["ct", "i", "j", "co", "xo", "yo", "yb", "cb", "n"]
// CHECK: halide.compute_at %padded at %out "cb"
// CHECK: halide.compute_at %input_tiles at %out "yb"
// CHECK: halide.compute_at %products at %out "yb"
// CHECK: halide.split %products "t" to "to", "tt" by 4
// CHECK: halide.split %sums "ci" to "cio", "cii" by 4 {stage = 1 : i64}
// CHECK: halide.prefetch_line %sums "cio" of %{{.*}} at affine_map<(d0, d1, d2, d3, d4, d5) -> ({{.*}}, 0, d2, d3, ((d0 floordiv 16) + 1))>

// SMALL: halide.reorder %out ["ct", "i", "j", "co", "xo", "yo", "yb", "cb", "n"]
// SMALL: halide.compute_at %padded at %out "yb"
// SMALL: halide.compute_at %input_tiles at %out "yb"
// SMALL-NOT: halide.prefetch_line

// CORES: halide.split %out "yt" to "yb", "yo" by 2
// CORES: halide.reorder %out ["ct", "i", "j", "co", "xo", "yo", "cb", "yb", "n"]
// CORES: halide.compute_at %padded at %out "cb"
// CORES: halide.compute_at %input_tiles at %out "cb"
// CORES: halide.compute_at %products at %out "cb"
// CORES: halide.parallel %out "yb"
