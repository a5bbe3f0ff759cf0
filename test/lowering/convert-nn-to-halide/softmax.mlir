// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Maximum, exponentials and their sum are funcs that a schedule can place.

func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = nn.kernel(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
  ^bb0(%x_: tensor<2x3xf32>):
    %v = nn.softmax %x_ {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    nn.yield %v : tensor<2x3xf32>
  }
  func.return %y : tensor<2x3xf32>
}

// CHECK:        %largest = halide.func "largest"(x %x, y %y) in [1, 2] : f32 {
// CHECK:        halide.update %largest(x %x_1, y %y_1) over (r1 %r1 in 0 to 3) : !halide.func<f32, 2> {
// CHECK:          %1 = halide.load %largest[%x_1, %y_1] : !halide.func<f32, 2> to f32
// CHECK:          %2 = halide.load %in0[%r1, %y_1] : !halide.buffer<f32, [3, 2]> to f32
// CHECK:        %power = halide.func "power"(x %x_2, y %y_2) in [3, 2] : f32 {
// CHECK:          %7 = halide.load %in0[%x_2, %y_2] : !halide.buffer<f32, [3, 2]> to f32
// CHECK:          %9 = halide.load %largest[%8, %y_2] : !halide.func<f32, 2> to f32
// CHECK:          %10 = halide.sub %7, %9 : f32
// CHECK:          %13 = halide.exp %10 : f32
// CHECK:          %15 = halide.add %10, %14 : f32
// CHECK:        %total = halide.func "total"(x %x_3, y %y_3) in [1, 2] : f32 {
// CHECK:        halide.update %total(x %x_4, y %y_4) over (r1 %r1_1 in 0 to 3) : !halide.func<f32, 2> {
// CHECK:          %19 = halide.load %total[%x_4, %y_4] : !halide.func<f32, 2> to f32
// CHECK:          %20 = halide.load %power[%r1_1, %y_4] : !halide.func<f32, 2> to f32
// CHECK:          %21 = halide.add %19, %20 : f32
// CHECK:        %out = halide.func "out"(x %x_5, y %y_5) in [3, 2] : f32 {
// CHECK:          %22 = halide.load %power[%x_5, %y_5] : !halide.func<f32, 2> to f32
// CHECK:          %24 = halide.load %total[%23, %y_5] : !halide.func<f32, 2> to f32
// CHECK:          %25 = halide.div %22, %24 : f32
// CHECK:        halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [3, 2]>
