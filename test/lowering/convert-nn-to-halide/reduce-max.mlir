// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// A maximum starts from -inf, which is also that of no elements, and keeps nan.

func.func @f(%x: tensor<2x0xf32>) -> tensor<2x1xf32> {
  %y = nn.kernel(%x) : (tensor<2x0xf32>) -> tensor<2x1xf32> {
  ^bb0(%x_: tensor<2x0xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction max>, axes = array<i64: 1>, keepdims = true} : (tensor<2x0xf32>) -> tensor<2x1xf32>
    nn.yield %v : tensor<2x1xf32>
  }
  func.return %y : tensor<2x1xf32>
}

// CHECK:        %reduce_max = halide.func "reduce_max"(x %x, y %y) in [1, 2] : f32 {
// CHECK:          %0 = halide.const -inf : f32
// CHECK:        halide.update %reduce_max(x %x_1, y %y_1) over (r1 %r1 in 0 to 0) : !halide.func<f32, 2> {
// CHECK:          %1 = halide.load %reduce_max[%x_1, %y_1] : !halide.func<f32, 2> to f32
// CHECK:          %3 = halide.max %1, %2 : f32
// CHECK:          %4 = halide.eq %1, %1 : f32
// CHECK:          %5 = halide.select %4, %3, %1 : f32
// CHECK:        %out = halide.func "out"(x %x_2, y %y_2) in [1, 2] : f32 {
// CHECK:          %6 = halide.load %reduce_max[%x_2, %y_2] : !halide.func<f32, 2> to f32
// CHECK:        halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [1, 2]>
