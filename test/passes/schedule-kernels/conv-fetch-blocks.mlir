// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// With blocks of 128 inputs, all pixels are computed for a block, which stays in the first-level cache, and the lines of
// the next block are fetched. The rule makes blocks only for few tiles.

// CHECK:      halide.split %out "c" to "co", "ct" by 32 : !halide.func<f32, 4>
// CHECK-NEXT: halide.split %out "x" to "xo", "xt" by 7 : !halide.func<f32, 4>
// CHECK-NEXT: halide.reorder %out ["ct", "xt", "xo", "y", "n", "co"] : !halide.func<f32, 4>
// CHECK:      halide.compute_at %conv at %out "co"
// CHECK-NOT:  halide.unroll %conv "x"
// CHECK:      halide.split %conv "x" to "uo", "ut" by 7 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.split %conv "ci" to "ck", "cr" by 128 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.split %conv "cr" to "cb", "cs" by 4 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.partition %conv "ck" never {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.prefetch_line %conv "cb" of %in1 at affine_map<(d0, d1, d2, d3, d4, d5, d6) -> ((((((((d4 floordiv 4) + (d5 * 64)) + (d6 * 192)) floordiv 32) * 4096) + 4096) + ((((((((d4 floordiv 4) * 1024) + (d5 * 65536)) + (d6 * 196608)) + (((((d4 floordiv 4) + (d5 * 64)) + (d6 * 192)) floordiv 32) * -32768)) + ((((d1 floordiv 7) * 32768) + (d2 * 32768)) + (d3 * 229376))) + (((((((d4 floordiv 4) + (d5 * 64)) + (d6 * 192)) + (((((d4 floordiv 4) + (d5 * 64)) + (d6 * 192)) floordiv 32) * -32)) + ((((d1 floordiv 7) * 32) + (d2 * 32)) + (d3 * 224))) floordiv 4) * -4096)) + (((((((d4 floordiv 4) + (d5 * 64)) + (d6 * 192)) + (((((d4 floordiv 4) + (d5 * 64)) + (d6 * 192)) floordiv 32) * -32)) + ((((d1 floordiv 7) * 32) + (d2 * 32)) + (d3 * 224))) floordiv 4) * 16))), 0, 0, 0, (d0 floordiv 32))> {stage = 1 : i64} : !halide.func<f32, 4> of !halide.buffer<f32, [32, 256, 3, 3, 16]>
// CHECK-NEXT: halide.reorder %conv ["c", "ut", "cs", "cb", "uo", "y", "n", "ck", "kx", "ky"] {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK:      halide.unroll %conv "ut" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %conv "cs" {stage = 1 : i64} : !halide.func<f32, 4>

func.func @few_pixels(%x: tensor<1x15x15x256xf32>, %w: tensor<16x3x3x256x32xf32>) -> tensor<1x7x7x512xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, inputs = [128]>} : (tensor<1x15x15x256xf32>, tensor<16x3x3x256x32xf32>) -> tensor<1x7x7x512xf32> {
  ^bb0(%x_: tensor<1x15x15x256xf32>, %w_: tensor<16x3x3x256x32xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 32>} : (tensor<1x15x15x256xf32>, tensor<16x3x3x256x32xf32>) -> tensor<1x7x7x512xf32>
    nn.yield %v : tensor<1x7x7x512xf32>
  }
  func.return %y : tensor<1x7x7x512xf32>
}
