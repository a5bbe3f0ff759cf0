// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// The bias is where the sum starts, window and channels are reduced, the relu follows. The image is
// padded in a func of its own; the innermost variable comes first.

func.func @f(%x: tensor<1x8x9x4xf32>, %w: tensor<3x2x4x6xf32>, %b: tensor<6xf32>) -> tensor<1x4x10x6xf32> {
  %y = nn.kernel(%x, %w, %b) : (tensor<1x8x9x4xf32>, tensor<3x2x4x6xf32>, tensor<6xf32>) -> tensor<1x4x10x6xf32> {
  ^bb0(%x_: tensor<1x8x9x4xf32>, %w_: tensor<3x2x4x6xf32>, %b_: tensor<6xf32>):
    %v = nn.conv %x_, %w_, %b_ {strides = array<i64: 2, 1>, pads = array<i64: 1, 1, 0, 2>, dilations = array<i64: 1, 2>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x9x4xf32>, tensor<3x2x4x6xf32>, tensor<6xf32>) -> tensor<1x4x10x6xf32>
    %r = nn.relu %v : (tensor<1x4x10x6xf32>) -> tensor<1x4x10x6xf32>
    nn.yield %r : tensor<1x4x10x6xf32>
  }
  func.return %y : tensor<1x4x10x6xf32>
}

// CHECK:      halide.pipeline @conv_relu_0(%in0: !halide.buffer<f32, [4, 9, 8, 1]>, %in1: !halide.buffer<f32, [6, 4, 2, 3]>, %in2: !halide.buffer<f32, [6]>) to (%result0: !halide.buffer<f32, [6, 10, 4, 1]>) fast_math {
// CHECK-NEXT:   %padded = halide.func "padded"(c %c, x %x, y %y, n %n) in [4, 12, 9, 1] : f32 {
// CHECK-NEXT:     %0 = halide.const 1 : i32
// CHECK-NEXT:     %1 = halide.sub %y, %0 : i32
// CHECK-NEXT:     %2 = halide.const 0 : i32
// CHECK-NEXT:     %3 = halide.le %2, %1 : i32
// CHECK-NEXT:     %4 = halide.const 8 : i32
// CHECK-NEXT:     %5 = halide.lt %1, %4 : i32
// CHECK-NEXT:     %6 = halide.and %3, %5 : i1
// CHECK-NEXT:     %7 = halide.max %1, %2 : i32
// CHECK-NEXT:     %8 = halide.const 7 : i32
// CHECK-NEXT:     %9 = halide.min %7, %8 : i32
// CHECK-NEXT:     %10 = halide.sub %x, %0 : i32
// CHECK-NEXT:     %11 = halide.le %2, %10 : i32
// CHECK-NEXT:     %12 = halide.const 9 : i32
// CHECK-NEXT:     %13 = halide.lt %10, %12 : i32
// CHECK-NEXT:     %14 = halide.and %11, %13 : i1
// CHECK-NEXT:     %15 = halide.max %10, %2 : i32
// CHECK-NEXT:     %16 = halide.min %15, %4 : i32
// CHECK-NEXT:     %17 = halide.const 0.0 : f32
// CHECK-NEXT:     %18 = halide.load %in0[%c, %16, %9, %n] : !halide.buffer<f32, [4, 9, 8, 1]> to f32
// CHECK-NEXT:     %19 = halide.likely %18 : f32
// CHECK-NEXT:     %20 = halide.select %14, %19, %17 : f32
// CHECK-NEXT:     %21 = halide.likely %20 : f32
// CHECK-NEXT:     %22 = halide.select %6, %21, %17 : f32
// CHECK-NEXT:     %23 = halide.strict %22 : f32
// CHECK-NEXT:     halide.yield %23 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %conv = halide.func "conv"(c %c_1, x %x_1, y %y_1, n %n_1) in [6, 10, 4, 1] : f32 {
// CHECK-NEXT:     %24 = halide.load %in2[%c_1] : !halide.buffer<f32, [6]> to f32
// CHECK-NEXT:     halide.yield %24 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %conv(c %c_2, x %x_2, y %y_2, n %n_2) over (ci %ci in 0 to 4, kx %kx in 0 to 2, ky %ky in 0 to 3) : !halide.func<f32, 4> {
// CHECK-NEXT:     %25 = halide.load %conv[%c_2, %x_2, %y_2, %n_2] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     %26 = halide.const 2 : i32
// CHECK-NEXT:     %27 = halide.mul %y_2, %26 : i32
// CHECK-NEXT:     %28 = halide.add %27, %ky : i32
// CHECK-NEXT:     %29 = halide.mul %kx, %26 : i32
// CHECK-NEXT:     %30 = halide.add %x_2, %29 : i32
// CHECK-NEXT:     %31 = halide.load %padded[%ci, %30, %28, %n_2] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     %32 = halide.load %in1[%c_2, %ci, %kx, %ky] : !halide.buffer<f32, [6, 4, 2, 3]> to f32
// CHECK-NEXT:     %33 = halide.mul %31, %32 : f32
// CHECK-NEXT:     %34 = halide.add %25, %33 : f32
// CHECK-NEXT:     halide.yield %34 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(c %c_3, x %x_3, y %y_3, n %n_3) in [6, 10, 4, 1] : f32 {
// CHECK-NEXT:     %35 = halide.const 0 : i32
// CHECK-NEXT:     %36 = halide.load %conv[%c_3, %x_3, %y_3, %35] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     %37 = halide.const 0.0 : f32
// CHECK-NEXT:     %38 = halide.max %37, %36 : f32
// CHECK-NEXT:     %39 = halide.strict %38 : f32
// CHECK-NEXT:     halide.yield %39 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 4> in !halide.buffer<f32, [6, 10, 4, 1]>
// CHECK-NEXT: }
