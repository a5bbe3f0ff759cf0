// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// The channels that an output channel sums are those of its group.

func.func @f(%x: tensor<1x8x9x4xf32>, %w: tensor<1x1x2x6xf32>) -> tensor<1x8x9x6xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x8x9x4xf32>, tensor<1x1x2x6xf32>) -> tensor<1x8x9x6xf32> {
  ^bb0(%x_: tensor<1x8x9x4xf32>, %w_: tensor<1x1x2x6xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x9x4xf32>, tensor<1x1x2x6xf32>) -> tensor<1x8x9x6xf32>
    nn.yield %v : tensor<1x8x9x6xf32>
  }
  func.return %y : tensor<1x8x9x6xf32>
}

// CHECK:          %0 = halide.const 0.0 : f32
// CHECK:        halide.update %conv(c %c_1, x %x_1, y %y_1, n %n_1) over (ci %ci in 0 to 2) : !halide.func<f32, 4> {
// CHECK:          %1 = halide.load %conv[%c_1, %x_1, %y_1, %n_1] : !halide.func<f32, 4> to f32
// CHECK:          %2 = halide.const 3 : i32
// CHECK:          %3 = halide.div %c_1, %2 : i32
// CHECK:          %4 = halide.const 2 : i32
// CHECK:          %5 = halide.mul %3, %4 : i32
// CHECK:          %6 = halide.add %5, %ci : i32
// CHECK:          %7 = halide.load %in0[%6, %x_1, %y_1, %n_1] : !halide.buffer<f32, [4, 9, 8, 1]> to f32
// CHECK:          %8 = halide.const 0 : i32
// CHECK:          %9 = halide.load %in1[%c_1, %ci, %8, %8] : !halide.buffer<f32, [6, 2, 1, 1]> to f32
// CHECK:          %10 = halide.mul %7, %9 : f32
// CHECK:          %11 = halide.add %1, %10 : f32
// CHECK:          %12 = halide.load %conv[%c_2, %x_2, %y_2, %n_2] : !halide.func<f32, 4> to f32
