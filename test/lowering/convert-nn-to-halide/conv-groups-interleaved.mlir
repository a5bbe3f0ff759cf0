// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Four groups of two channels, two to a tile: the image is copied so that the first channels of both
// groups stand side by side, the sums read them by the place in the tile, and the result its channels
// in order.

func.func @f(%x: tensor<1x2x3x8xf32>, %w: tensor<2x1x3x2x4xf32>) -> tensor<1x2x3x8xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x2x3x8xf32>, tensor<2x1x3x2x4xf32>) -> tensor<1x2x3x8xf32> {
  ^bb0(%x_: tensor<1x2x3x8xf32>, %w_: tensor<2x1x3x2x4xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 4 interleaved 2>} : (tensor<1x2x3x8xf32>, tensor<2x1x3x2x4xf32>) -> tensor<1x2x3x8xf32>
    nn.yield %v : tensor<1x2x3x8xf32>
  }
  func.return %y : tensor<1x2x3x8xf32>
}

// CHECK:        halide.func "padded"(c %c, x %x, p %p, y %y, n %n) in [4, 5, 2, 2, 1] : f32 {
// CHECK:          %0 = halide.const 2 : i32
// CHECK-NEXT:     %1 = halide.mod %c, %0 : i32
// CHECK-NEXT:     %2 = halide.mul %1, %0 : i32
// CHECK-NEXT:     %3 = halide.div %c, %0 : i32
// CHECK-NEXT:     %4 = halide.add %2, %3 : i32
// CHECK:        halide.update %conv(c %c_2, p %p_2, x %x_2, y %y_2, n %n_2) over (kx %kx in 0 to 3, ci %ci in 0 to 2) : !halide.func<f32, 5> {
// CHECK:          %[[TWO:.*]] = halide.const 2 : i32
// CHECK-NEXT:     %[[FIRST:.*]] = halide.mul %ci, %[[TWO]] : i32
// CHECK-NEXT:     %[[GROUP:.*]] = halide.mod %c_2, %[[TWO]] : i32
// CHECK-NEXT:     %[[PLACE:.*]] = halide.add %[[FIRST]], %[[GROUP]] : i32
// CHECK-NEXT:     halide.load %padded[%[[PLACE]], %{{.*}}, %p_2, %y_2, %n_2] : !halide.func<f32, 5> to f32
// CHECK:          halide.load %in1[%c_2, %ci, %kx, %{{.*}}, %p_2] : !halide.buffer<f32, [4, 2, 3, 1, 2]> to f32
