// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// With stride 2 every other element of the filter meets an element of the image.

func.func @f(%x: tensor<1x4x2xf32>, %w: tensor<4x2x3xf32>) -> tensor<1x8x3xf32> {
  %y = nn.conv_transpose %x, %w {strides = array<i64: 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1>, output_padding = array<i64: 0>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 1, 0]>} : (tensor<1x4x2xf32>, tensor<4x2x3xf32>) -> tensor<1x8x3xf32>
  func.return %y : tensor<1x8x3xf32>
}

// CHECK:      halide.pipeline @conv_transpose_0(%in0: !halide.buffer<f32, [2, 4, 1]>, %in1: !halide.buffer<f32, [3, 2, 4]>) to (%result0: !halide.buffer<f32, [3, 8, 1]>) fast_math {
// CHECK-NEXT:   %padded = halide.func "padded"(c %c, x %x, n %n) in [2, 6, 1] : f32 {
// CHECK-NEXT:     %0 = halide.const 1 : i32
// CHECK-NEXT:     %1 = halide.sub %x, %0 : i32
// CHECK-NEXT:     %2 = halide.const 0 : i32
// CHECK-NEXT:     %3 = halide.le %2, %1 : i32
// CHECK-NEXT:     %4 = halide.const 4 : i32
// CHECK-NEXT:     %5 = halide.lt %1, %4 : i32
// CHECK-NEXT:     %6 = halide.and %3, %5 : i1
// CHECK-NEXT:     %7 = halide.max %1, %2 : i32
// CHECK-NEXT:     %8 = halide.const 3 : i32
// CHECK-NEXT:     %9 = halide.min %7, %8 : i32
// CHECK-NEXT:     %10 = halide.const 0.0 : f32
// CHECK-NEXT:     %11 = halide.load %in0[%c, %9, %n] : !halide.buffer<f32, [2, 4, 1]> to f32
// CHECK-NEXT:     %12 = halide.likely %11 : f32
// CHECK-NEXT:     %13 = halide.select %6, %12, %10 : f32
// CHECK-NEXT:     %14 = halide.strict %13 : f32
// CHECK-NEXT:     halide.yield %14 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %conv = halide.func "conv"(c %c_1, x %x_1, n %n_1) in [3, 8, 1] : f32 {
// CHECK-NEXT:     %15 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %15 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %conv(c %c_2, x %x_2, n %n_2) over (ci %ci in 0 to 2, k0 %k0 in 0 to 2) : !halide.func<f32, 3> {
// CHECK-NEXT:     %16 = halide.load %conv[%c_2, %x_2, %n_2] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %17 = halide.const 1 : i32
// CHECK-NEXT:     %18 = halide.add %x_2, %17 : i32
// CHECK-NEXT:     %19 = halide.const 2 : i32
// CHECK-NEXT:     %20 = halide.mod %18, %19 : i32
// CHECK-NEXT:     %21 = halide.mul %k0, %19 : i32
// CHECK-NEXT:     %22 = halide.add %20, %21 : i32
// CHECK-NEXT:     %23 = halide.div %18, %19 : i32
// CHECK-NEXT:     %24 = halide.sub %23, %k0 : i32
// CHECK-NEXT:     %25 = halide.add %24, %17 : i32
// CHECK-NEXT:     %26 = halide.load %padded[%ci, %25, %n_2] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %27 = halide.load %in1[%c_2, %ci, %22] : !halide.buffer<f32, [3, 2, 4]> to f32
// CHECK-NEXT:     %28 = halide.mul %26, %27 : f32
// CHECK-NEXT:     %29 = halide.add %16, %28 : f32
// CHECK-NEXT:     halide.yield %29 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(c %c_3, x %x_3, n %n_3) in [3, 8, 1] : f32 {
// CHECK-NEXT:     %30 = halide.load %conv[%c_3, %x_3, %n_3] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     halide.yield %30 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 3> in !halide.buffer<f32, [3, 8, 1]>
// CHECK-NEXT: }
