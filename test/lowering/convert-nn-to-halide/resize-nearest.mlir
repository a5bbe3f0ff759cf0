// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// The place is a quotient of integers; twice the size is half the coordinate, which needs no clamp.

func.func @f(%x: tensor<2x3xui8>) -> tensor<2x6xui8> {
  %y = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 2>, offsets = array<i64: 0, -1>, denominators = array<i64: 1, 4>} : (tensor<2x3xui8>) -> tensor<2x6xui8>
  func.return %y : tensor<2x6xui8>
}

// CHECK:      halide.pipeline @resize_0(%in0: !halide.buffer<ui8, [3, 2]>) to (%result0: !halide.buffer<ui8, [6, 2]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y) in [6, 2] : ui8 {
// CHECK-NEXT:     %0 = halide.const 2 : i32
// CHECK-NEXT:     %1 = halide.div %x, %0 : i32
// CHECK-NEXT:     %2 = halide.load %in0[%1, %y] : !halide.buffer<ui8, [3, 2]> to ui8
// CHECK-NEXT:     halide.yield %2 : ui8
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<ui8, 2> in !halide.buffer<ui8, [6, 2]>
// CHECK-NEXT: }
