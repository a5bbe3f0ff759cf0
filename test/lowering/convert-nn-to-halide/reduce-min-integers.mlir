// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Of integers a minimum starts from the highest value and needs no test.

func.func @f(%x: tensor<3x3xi8>) -> tensor<3xi8> {
  %y = nn.kernel(%x) : (tensor<3x3xi8>) -> tensor<3xi8> {
  ^bb0(%x_: tensor<3x3xi8>):
    %v = nn.reduce %x_ {kind = #nn<reduction min>, axes = array<i64: 1>} : (tensor<3x3xi8>) -> tensor<3xi8>
    nn.yield %v : tensor<3xi8>
  }
  func.return %y : tensor<3xi8>
}

// CHECK:        %reduce_min = halide.func "reduce_min"(x %x, y %y) in [1, 3] : i8 {
// CHECK:          %0 = halide.const 127 : i8
// CHECK:        halide.update %reduce_min(x %x_1, y %y_1) over (r1 %r1 in 0 to 3) : !halide.func<i8, 2> {
// CHECK:          %1 = halide.load %reduce_min[%x_1, %y_1] : !halide.func<i8, 2> to i8
// CHECK:          %3 = halide.min %1, %2 : i8
// CHECK:        %out = halide.func "out"(x %x_2) in [3] : i8 {
// CHECK:          %4 = halide.const 0 : i32
// CHECK:          %5 = halide.load %reduce_min[%4, %x_2] : !halide.func<i8, 2> to i8
// CHECK:        halide.output %out in %result0 : !halide.func<i8, 1> in !halide.buffer<i8, [3]>
