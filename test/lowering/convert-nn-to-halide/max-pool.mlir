// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Padding holds the lowest value; nan is kept wherever it stands in the window.

func.func @f(%x: tensor<1x5x6x3xf32>) -> tensor<1x3x5x3xf32> {
  %y = nn.kernel(%x) : (tensor<1x5x6x3xf32>) -> tensor<1x3x5x3xf32> {
  ^bb0(%x_: tensor<1x5x6x3xf32>):
    %v = nn.max_pool %x_ {window = array<i64: 2, 2>, strides = array<i64: 2, 1>, pads = array<i64: 1, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x3xf32>) -> tensor<1x3x5x3xf32>
    nn.yield %v : tensor<1x3x5x3xf32>
  }
  func.return %y : tensor<1x3x5x3xf32>
}

// CHECK:      halide.pipeline @max_pool_0(%in0: !halide.buffer<f32, [3, 6, 5, 1]>) to (%result0: !halide.buffer<f32, [3, 5, 3, 1]>) {
// CHECK-NEXT:   %padded = halide.func "padded"(c %c, x %x, y %y, n %n) in [3, 6, 6, 1] : f32 {
// CHECK-NEXT:     %0 = halide.const 1 : i32
// CHECK-NEXT:     %1 = halide.sub %y, %0 : i32
// CHECK-NEXT:     %2 = halide.const 0 : i32
// CHECK-NEXT:     %3 = halide.le %2, %1 : i32
// CHECK-NEXT:     %4 = halide.const 5 : i32
// CHECK-NEXT:     %5 = halide.lt %1, %4 : i32
// CHECK-NEXT:     %6 = halide.and %3, %5 : i1
// CHECK-NEXT:     %7 = halide.max %1, %2 : i32
// CHECK-NEXT:     %8 = halide.const 4 : i32
// CHECK-NEXT:     %9 = halide.min %7, %8 : i32
// CHECK-NEXT:     %10 = halide.const -inf : f32
// CHECK-NEXT:     %11 = halide.load %in0[%c, %x, %9, %n] : !halide.buffer<f32, [3, 6, 5, 1]> to f32
// CHECK-NEXT:     %12 = halide.likely %11 : f32
// CHECK-NEXT:     %13 = halide.select %6, %12, %10 : f32
// CHECK-NEXT:     halide.yield %13 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %max_pool = halide.func "max_pool"(c %c_1, x %x_1, y %y_1, n %n_1) in [3, 5, 3, 1] : f32 {
// CHECK-NEXT:     %14 = halide.const -inf : f32
// CHECK-NEXT:     halide.yield %14 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %max_pool(c %c_2, x %x_2, y %y_2, n %n_2) over (k1 %k1 in 0 to 2, k0 %k0 in 0 to 2) : !halide.func<f32, 4> {
// CHECK-NEXT:     %15 = halide.load %max_pool[%c_2, %x_2, %y_2, %n_2] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     %16 = halide.const 2 : i32
// CHECK-NEXT:     %17 = halide.mul %y_2, %16 : i32
// CHECK-NEXT:     %18 = halide.add %17, %k0 : i32
// CHECK-NEXT:     %19 = halide.add %x_2, %k1 : i32
// CHECK-NEXT:     %20 = halide.load %padded[%c_2, %19, %18, %n_2] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     %21 = halide.max %15, %20 : f32
// CHECK-NEXT:     %22 = halide.eq %15, %15 : f32
// CHECK-NEXT:     %23 = halide.select %22, %21, %15 : f32
// CHECK-NEXT:     halide.yield %23 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(c %c_3, x %x_3, y %y_3, n %n_3) in [3, 5, 3, 1] : f32 {
// CHECK-NEXT:     %24 = halide.load %max_pool[%c_3, %x_3, %y_3, %n_3] : !halide.func<f32, 4> to f32
// CHECK-NEXT:     halide.yield %24 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 4> in !halide.buffer<f32, [3, 5, 3, 1]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<1x5x6x3xf32>) -> tensor<1x3x5x3xf32> {
// CHECK-NEXT:   %y = nn.call @max_pool_0(%x) : (tensor<1x5x6x3xf32>) -> tensor<1x3x5x3xf32>
// CHECK-NEXT:   func.return %y : tensor<1x3x5x3xf32>
// CHECK-NEXT: }
