// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// A packed filter is read by the number of the tile and the place within.

func.func @f(%x: tensor<1x2x3x4xf32>, %w: tensor<2x1x1x4x3xf32>) -> tensor<1x2x3x6xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x2x3x4xf32>, tensor<2x1x1x4x3xf32>) -> tensor<1x2x3x6xf32> {
  ^bb0(%x_: tensor<1x2x3x4xf32>, %w_: tensor<2x1x1x4x3xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x2x3x4xf32>, tensor<2x1x1x4x3xf32>) -> tensor<1x2x3x6xf32>
    nn.yield %v : tensor<1x2x3x6xf32>
  }
  func.return %y : tensor<1x2x3x6xf32>
}

// CHECK:          %0 = halide.const 0.0 : f32
// CHECK:        halide.update %conv(c %c_1, x %x_1, y %y_1, n %n_1) over (ci %ci in 0 to 4) : !halide.func<f32, 4> {
// CHECK:          %1 = halide.load %conv[%c_1, %x_1, %y_1, %n_1] : !halide.func<f32, 4> to f32
// CHECK:          %2 = halide.load %in0[%ci, %x_1, %y_1, %n_1] : !halide.buffer<f32, [4, 3, 2, 1]> to f32
// CHECK:          %3 = halide.const 3 : i32
// CHECK:          %4 = halide.div %c_1, %3 : i32
// CHECK:          %5 = halide.mod %c_1, %3 : i32
// CHECK:          %6 = halide.const 0 : i32
// CHECK:          %7 = halide.load %in1[%5, %ci, %6, %6, %4] : !halide.buffer<f32, [3, 4, 1, 1, 2]> to f32
// CHECK:          %10 = halide.load %conv[%c_2, %x_2, %y_2, %n_2] : !halide.func<f32, 4> to f32
