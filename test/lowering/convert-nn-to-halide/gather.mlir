// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// An index is clamped in its own type, then counted from the end where it is negative.

func.func @f(%x: tensor<5x3xf32>, %i: tensor<2xi64>) -> tensor<2x3xf32> {
  %y = nn.gather %x, %i {axis = 0 : i64} : (tensor<5x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

func.func @unsigned(%x: tensor<300x3xf32>, %i: tensor<2x3xui8>) -> tensor<2x3xf32> {
  %y = nn.gather_elements %x, %i {axis = 0 : i64} : (tensor<300x3xf32>, tensor<2x3xui8>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK:      halide.pipeline @gather_0(%in0: !halide.buffer<f32, [3, 5]>, %in1: !halide.buffer<i64, [2]>) to (%result0: !halide.buffer<f32, [3, 2]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y) in [3, 2] : f32 {
// CHECK-NEXT:     %0 = halide.load %in1[%y] : !halide.buffer<i64, [2]> to i64
// CHECK-NEXT:     %1 = halide.const -5 : i64
// CHECK-NEXT:     %2 = halide.max %0, %1 : i64
// CHECK-NEXT:     %3 = halide.const 4 : i64
// CHECK-NEXT:     %4 = halide.min %2, %3 : i64
// CHECK-NEXT:     %5 = halide.cast %4 : i64 to i32
// CHECK-NEXT:     %6 = halide.const 0 : i32
// CHECK-NEXT:     %7 = halide.lt %5, %6 : i32
// CHECK-NEXT:     %8 = halide.const 5 : i32
// CHECK-NEXT:     %9 = halide.add %5, %8 : i32
// CHECK-NEXT:     %10 = halide.select %7, %9, %5 : i32
// CHECK-NEXT:     %11 = halide.max %10, %6 : i32
// CHECK-NEXT:     %12 = halide.const 4 : i32
// CHECK-NEXT:     %13 = halide.min %11, %12 : i32
// CHECK-NEXT:     %14 = halide.load %in0[%x, %13] : !halide.buffer<f32, [3, 5]> to f32
// CHECK-NEXT:     halide.yield %14 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [3, 2]>
// CHECK-NEXT: }

// CHECK:      halide.pipeline @gather_elements_1(%in0: !halide.buffer<f32, [3, 300]>, %in1: !halide.buffer<ui8, [3, 2]>) to (%result0: !halide.buffer<f32, [3, 2]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y) in [3, 2] : f32 {
// CHECK-NEXT:     %0 = halide.load %in1[%x, %y] : !halide.buffer<ui8, [3, 2]> to ui8
// CHECK-NEXT:     %1 = halide.const 255 : ui8
// CHECK-NEXT:     %2 = halide.min %0, %1 : ui8
// CHECK-NEXT:     %3 = halide.cast %2 : ui8 to i32
// CHECK-NEXT:     %4 = halide.load %in0[%x, %3] : !halide.buffer<f32, [3, 300]> to f32
// CHECK-NEXT:     halide.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [3, 2]>
// CHECK-NEXT: }
