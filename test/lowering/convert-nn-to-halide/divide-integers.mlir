// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Integers are divided by size and get their sign back: Halide rounds down. The lowest number's size is
// unsigned.

func.func @f(%x: tensor<4xi8>, %z: tensor<4xi8>) -> tensor<4xi8> {
  %y = nn.kernel(%x, %z) : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8> {
  ^bb0(%x_: tensor<4xi8>, %z_: tensor<4xi8>):
    %v = nn.div %x_, %z_ : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>
    nn.yield %v : tensor<4xi8>
  }
  func.return %y : tensor<4xi8>
}

// CHECK:          %2 = halide.abs %0 : i8
// CHECK:          %3 = halide.cast %2 : i8 to ui8
// CHECK:          %4 = halide.abs %1 : i8
// CHECK:          %5 = halide.cast %4 : i8 to ui8
// CHECK:          %6 = halide.div %3, %5 : ui8
// CHECK:          %7 = halide.cast %6 : ui8 to i8
// CHECK:          %8 = halide.const 0 : i8
// CHECK:          %9 = halide.lt %0, %8 : i8
// CHECK:          %10 = halide.lt %1, %8 : i8
// CHECK:          %11 = halide.eq %9, %10 : i1
// CHECK:          %12 = halide.sub %8, %7 : i8
// CHECK:          %13 = halide.select %11, %7, %12 : i8
// CHECK:          halide.yield %13 : i8
