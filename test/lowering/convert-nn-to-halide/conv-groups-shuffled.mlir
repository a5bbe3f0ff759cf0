// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Channel s of the shuffled image is (s % 4) * 6 + s / 4 of the one that is read; rows and columns stay
// what they are. The movements are not in the name.

func.func @f(%x: tensor<1x5x7x24xf32>, %w: tensor<1x1x6x8xf32>) -> tensor<1x5x7x8xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x5x7x24xf32>, tensor<1x1x6x8xf32>) -> tensor<1x5x7x8xf32> {
  ^bb0(%x_: tensor<1x5x7x24xf32>, %w_: tensor<1x1x6x8xf32>):
    %a = nn.reshape %x_ : (tensor<1x5x7x24xf32>) -> tensor<1x5x7x4x6xf32>
    %t = nn.transpose %a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x5x7x4x6xf32>) -> tensor<1x5x7x6x4xf32>
    %s = nn.reshape %t : (tensor<1x5x7x6x4xf32>) -> tensor<1x5x7x24xf32>
    %v = nn.conv %s, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x5x7x24xf32>, tensor<1x1x6x8xf32>) -> tensor<1x5x7x8xf32>
    nn.yield %v : tensor<1x5x7x8xf32>
  }
  func.return %y : tensor<1x5x7x8xf32>
}

// CHECK:      halide.pipeline @conv_0(%in0: !halide.buffer<f32, [24, 7, 5, 1]>, %in1: !halide.buffer<f32, [8, 6, 1, 1]>) to (%result0: !halide.buffer<f32, [8, 7, 5, 1]>) config<grouped_conv> fast_math {
// CHECK:      halide.update %conv(c %c_1, x %x_1, y %y_1, n %n_1) over (ci %ci in 0 to 6) : !halide.func<f32, 4> {
// CHECK-NEXT:   %1 = halide.load %conv[%c_1, %x_1, %y_1, %n_1] : !halide.func<f32, 4> to f32
// CHECK-NEXT:   %2 = halide.const 2 : i32
// CHECK-NEXT:   %3 = halide.div %c_1, %2 : i32
// CHECK-NEXT:   %4 = halide.const 6 : i32
// CHECK-NEXT:   %5 = halide.mul %3, %4 : i32
// CHECK-NEXT:   %6 = halide.add %5, %ci : i32
// CHECK-NEXT:   %7 = halide.const 4 : i32
// CHECK-NEXT:   %8 = halide.mod %6, %7 : i32
// CHECK-NEXT:   %9 = halide.div %6, %7 : i32
// CHECK-NEXT:   %10 = halide.mul %8, %4 : i32
// CHECK-NEXT:   %11 = halide.add %10, %9 : i32
// CHECK-NEXT:   %12 = halide.const 0 : i32
// CHECK-NEXT:   %13 = halide.load %in0[%11, %x_1, %y_1, %12] : !halide.buffer<f32, [24, 7, 5, 1]> to f32
