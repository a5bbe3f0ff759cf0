// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// Each result adds up up to 32 elements.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.cumsum %x {axis = 0 : i64, exclusive = true, reverse = true} : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK:      halide.pipeline @cumsum_0(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [4]>) {
// CHECK-NEXT:   %within = halide.func "within"(x %x) in [4] : f32 {
// CHECK-NEXT:     %0 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %within(x %x_1) over (r %r in 0 to 4) : !halide.func<f32, 1> {
// CHECK-NEXT:     %1 = halide.load %within[%x_1] : !halide.func<f32, 1> to f32
// CHECK-NEXT:     %2 = halide.const -1 : i32
// CHECK-NEXT:     %3 = halide.mul %x_1, %2 : i32
// CHECK-NEXT:     %4 = halide.const 3 : i32
// CHECK-NEXT:     %5 = halide.add %3, %4 : i32
// CHECK-NEXT:     %6 = halide.const 0 : i32
// CHECK-NEXT:     %7 = halide.add %6, %r : i32
// CHECK-NEXT:     %8 = halide.lt %7, %5 : i32
// CHECK-NEXT:     %9 = halide.mul %7, %2 : i32
// CHECK-NEXT:     %10 = halide.add %9, %4 : i32
// CHECK-NEXT:     %11 = halide.load %in0[%10] : !halide.buffer<f32, [4]> to f32
// CHECK-NEXT:     %12 = halide.const 0.0 : f32
// CHECK-NEXT:     %13 = halide.select %8, %11, %12 : f32
// CHECK-NEXT:     %14 = halide.add %1, %13 : f32
// CHECK-NEXT:     halide.yield %14 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_2) in [4] : f32 {
// CHECK-NEXT:     %15 = halide.load %within[%x_2] : !halide.func<f32, 1> to f32
// CHECK-NEXT:     halide.yield %15 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
// CHECK-NEXT: }
