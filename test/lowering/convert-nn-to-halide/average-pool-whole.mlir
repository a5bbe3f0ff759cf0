// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Where every window counts the same number of elements, it is a constant.

func.func @f(%x: tensor<1x5x6x3xf32>) -> tensor<1x4x5x3xf32> {
  %y = nn.kernel(%x) : (tensor<1x5x6x3xf32>) -> tensor<1x4x5x3xf32> {
  ^bb0(%x_: tensor<1x5x6x3xf32>):
    %v = nn.average_pool %x_ {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x6x3xf32>) -> tensor<1x4x5x3xf32>
    nn.yield %v : tensor<1x4x5x3xf32>
  }
  func.return %y : tensor<1x4x5x3xf32>
}

// CHECK:        %sum_pool = halide.func "sum_pool"(c %c, x %x, y %y, n %n) in [3, 5, 4, 1] : f32 {
// CHECK:          %0 = halide.const 0.0 : f32
// CHECK:        halide.update %sum_pool(c %c_1, x %x_1, y %y_1, n %n_1) over (k1 %k1 in 0 to 2, k0 %k0 in 0 to 2) : !halide.func<f32, 4> {
// CHECK:          %1 = halide.load %sum_pool[%c_1, %x_1, %y_1, %n_1] : !halide.func<f32, 4> to f32
// CHECK:        %out = halide.func "out"(c %c_2, x %x_2, y %y_2, n %n_2) in [3, 5, 4, 1] : f32 {
// CHECK:          %6 = halide.const 4 : i32
// CHECK:          %7 = halide.load %sum_pool[%c_2, %x_2, %y_2, %n_2] : !halide.func<f32, 4> to f32
// CHECK:          %8 = halide.cast %6 : i32 to f32
// CHECK:          %9 = halide.div %7, %8 : f32
// CHECK:        halide.output %out in %result0 : !halide.func<f32, 4> in !halide.buffer<f32, [3, 5, 4, 1]>
