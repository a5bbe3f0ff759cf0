// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Padding does not count: the divisor follows the position where windows reach into it.

func.func @f(%x: tensor<1x5x6x3xf32>) -> tensor<1x5x5x3xf32> {
  %y = nn.kernel(%x) : (tensor<1x5x6x3xf32>) -> tensor<1x5x5x3xf32> {
  ^bb0(%x_: tensor<1x5x6x3xf32>):
    %v = nn.average_pool %x_ {window = array<i64: 3, 2>, strides = array<i64: 1, 1>, pads = array<i64: 1, 0, 1, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x3xf32>) -> tensor<1x5x5x3xf32>
    nn.yield %v : tensor<1x5x5x3xf32>
  }
  func.return %y : tensor<1x5x5x3xf32>
}

// CHECK:        %padded = halide.func "padded"(c %c, x %x, y %y, n %n) in [3, 6, 7, 1] : f32 {
// CHECK:          %0 = halide.const 1 : i32
// CHECK:          %1 = halide.sub %y, %0 : i32
// CHECK:          %2 = halide.const 0 : i32
// CHECK:          %4 = halide.const 5 : i32
// CHECK:          %7 = halide.max %1, %2 : i32
// CHECK:          %8 = halide.const 4 : i32
// CHECK:          %9 = halide.min %7, %8 : i32
// CHECK:          %10 = halide.const 0.0 : f32
// CHECK:        %sum_pool = halide.func "sum_pool"(c %c_1, x %x_1, y %y_1, n %n_1) in [3, 5, 5, 1] : f32 {
// CHECK:          %14 = halide.const 0.0 : f32
// CHECK:        halide.update %sum_pool(c %c_2, x %x_2, y %y_2, n %n_2) over (k1 %k1 in 0 to 2, k0 %k0 in 0 to 3) : !halide.func<f32, 4> {
// CHECK:          %15 = halide.load %sum_pool[%c_2, %x_2, %y_2, %n_2] : !halide.func<f32, 4> to f32
// CHECK:          %16 = halide.add %y_2, %k0 : i32
// CHECK:          %17 = halide.add %x_2, %k1 : i32
// CHECK:          %18 = halide.load %padded[%c_2, %17, %16, %n_2] : !halide.func<f32, 4> to f32
// CHECK:          %19 = halide.add %15, %18 : f32
// CHECK:        %out = halide.func "out"(c %c_3, x %x_3, y %y_3, n %n_3) in [3, 5, 5, 1] : f32 {
// CHECK:          %20 = halide.const 1 : i32
// CHECK:          %21 = halide.sub %y_3, %20 : i32
// CHECK:          %22 = halide.const 3 : i32
// CHECK:          %23 = halide.add %21, %22 : i32
// CHECK:          %24 = halide.const 5 : i32
// CHECK:          %25 = halide.min %23, %24 : i32
// CHECK:          %26 = halide.const 0 : i32
// CHECK:          %27 = halide.max %21, %26 : i32
// CHECK:          %28 = halide.sub %25, %27 : i32
// CHECK:          %29 = halide.const 2 : i32
// CHECK:          %30 = halide.mul %28, %29 : i32
// CHECK:          %31 = halide.load %sum_pool[%c_3, %x_3, %y_3, %n_3] : !halide.func<f32, 4> to f32
// CHECK:          %32 = halide.cast %30 : i32 to f32
// CHECK:          %33 = halide.div %31, %32 : f32
// CHECK:        halide.output %out in %result0 : !halide.func<f32, 4> in !halide.buffer<f32, [3, 5, 5, 1]>
