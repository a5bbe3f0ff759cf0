// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A vector of two pixels by eight channels: pixels are the inner dimension while sums are added up, since one load then
// brings the inputs of both and repeats them; results are stored channels first, as they lie in memory.

func.func @f(%x: tensor<1x28x28x1xf32>, %w: tensor<5x5x1x8xf32>) -> tensor<1x28x28x8xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x28x28x8xf32> {
  ^bb0(%l: tensor<1x28x28x1xf32>, %r: tensor<5x5x1x8xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x28x28x8xf32>
    nn.yield %v : tensor<1x28x28x8xf32>
  }
  func.return %y : tensor<1x28x28x8xf32>
}

// CHECK:      halide.split %out "x" to "xo", "xt" by 28 : !halide.func<f32, 4>
// CHECK:      halide.split %out "xt" to "xu", "xp" by 2 : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %out "ct" by 8 : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %out "xp" : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %out "xu" : !halide.func<f32, 4>
// CHECK-NEXT: halide.compute_at %conv at %out "co" : !halide.func<f32, 4> at !halide.func<f32, 4>
// CHECK:      halide.split %conv "x" to "xu", "xp" by 2 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.reorder %conv ["xp", "c", "xu", "kx", "ky"] {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %conv "xp" {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.vectorize %conv "c" by 8 {stage = 1 : i64} : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %conv "xu" {stage = 1 : i64} : !halide.func<f32, 4>
