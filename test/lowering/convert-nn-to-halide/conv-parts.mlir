// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Two groups in two parts each: the sum is over the channels of a part's group, and the output reads the
// part and the place within it, where the tile of 4 has only 3 channels in use.

func.func @f(%x: tensor<1x2x3x4xf32>, %w: tensor<4x1x1x2x4xf32>) -> tensor<1x2x3x12xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x2x3x4xf32>, tensor<4x1x1x2x4xf32>) -> tensor<1x2x3x12xf32> {
  ^bb0(%x_: tensor<1x2x3x4xf32>, %w_: tensor<4x1x1x2x4xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x2x3x4xf32>, tensor<4x1x1x2x4xf32>) -> tensor<1x2x3x12xf32>
    nn.yield %v : tensor<1x2x3x12xf32>
  }
  func.return %y : tensor<1x2x3x12xf32>
}

// CHECK:        halide.update %conv(c %c_1, p %p_1, x %x_1, y %y_1, n %n_1) over (ci %ci in 0 to 2) : !halide.func<f32, 5> {
// CHECK:          %2 = halide.const 2 : i32
// CHECK-NEXT:     %3 = halide.div %p_1, %2 : i32
// CHECK-NEXT:     %4 = halide.mul %3, %2 : i32
// CHECK-NEXT:     %5 = halide.add %4, %ci : i32
// CHECK-NEXT:     %6 = halide.load %in0[%5, %x_1, %y_1, %n_1] : !halide.buffer<f32, [4, 3, 2, 1]> to f32
// CHECK:          halide.load %in1[%c_1, %ci, %{{.*}}, %{{.*}}, %p_1] : !halide.buffer<f32, [4, 2, 1, 1, 4]> to f32
// CHECK:          %[[USED:.*]] = halide.const 3 : i32
// CHECK-NEXT:     %[[PART:.*]] = halide.div %c_2, %[[USED]] : i32
// CHECK-NEXT:     %[[PLACE:.*]] = halide.mod %c_2, %[[USED]] : i32
// CHECK-NEXT:     halide.load %conv[%[[PLACE]], %[[PART]], %x_2, %y_2, %n_2] : !halide.func<f32, 5> to f32
