// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// One channel a group: nothing is reduced but the window, whose extents of 1 are no loops; the group is the
// channel.

func.func @f(%x: tensor<1x8x9x4xf32>, %w: tensor<3x1x1x4xf32>) -> tensor<1x6x9x4xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x8x9x4xf32>, tensor<3x1x1x4xf32>) -> tensor<1x6x9x4xf32> {
  ^bb0(%x_: tensor<1x8x9x4xf32>, %w_: tensor<3x1x1x4xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x9x4xf32>, tensor<3x1x1x4xf32>) -> tensor<1x6x9x4xf32>
    nn.yield %v : tensor<1x6x9x4xf32>
  }
  func.return %y : tensor<1x6x9x4xf32>
}

// CHECK:      halide.pipeline @conv_0(%in0: !halide.buffer<f32, [4, 9, 8, 1]>, %in1: !halide.buffer<f32, [4, 1, 1, 3]>) to (%result0: !halide.buffer<f32, [4, 9, 6, 1]>) fast_math {
// CHECK-NEXT:   %conv = halide.func "conv"(c %c, x %x, y %y, n %n) in [4, 9, 6, 1] : f32 {
// CHECK-NEXT:     %0 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %conv(c %c_1, x %x_1, y %y_1, n %n_1) over (ky %ky in 0 to 3) : !halide.func<f32, 4> {
// CHECK-NEXT:     %1 = halide.load %conv[%c_1, %x_1, %y_1, %n_1] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     %2 = halide.add %y_1, %ky : i32
// CHECK-NEXT:     %3 = halide.load %in0[%c_1, %x_1, %2, %n_1] : !halide.buffer<f32, [4, 9, 8, 1]> to f32
// CHECK-NEXT:     %4 = halide.const 0 : i32
// CHECK-NEXT:     %5 = halide.load %in1[%c_1, %4, %4, %ky] : !halide.buffer<f32, [4, 1, 1, 3]> to f32
// CHECK-NEXT:     %6 = halide.mul %3, %5 : f32
// CHECK-NEXT:     %7 = halide.add %1, %6 : f32
// CHECK-NEXT:     halide.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(c %c_2, x %x_2, y %y_2, n %n_2) in [4, 9, 6, 1] : f32 {
// CHECK-NEXT:     %8 = halide.load %conv[%c_2, %x_2, %y_2, %n_2] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     halide.yield %8 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 4> in !halide.buffer<f32, [4, 9, 6, 1]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<1x8x9x4xf32>, %w: tensor<3x1x1x4xf32>) -> tensor<1x6x9x4xf32> {
// CHECK-NEXT:   %y = nn.call @conv_0(%x, %w) : (tensor<1x8x9x4xf32>, tensor<3x1x1x4xf32>) -> tensor<1x6x9x4xf32>
// CHECK-NEXT:   func.return %y : tensor<1x6x9x4xf32>
// CHECK-NEXT: }
