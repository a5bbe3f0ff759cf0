// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// Sum, then the squared distances from the mean; a short row is added up as it lies.

func.func @f(%x: tensor<2x8xf32>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %y = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.5 : f64} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  func.return %y : tensor<2x8xf32>
}

// CHECK:      halide.pipeline @layer_norm_0(%in0: !halide.buffer<f32, [8, 2]>, %in1: !halide.buffer<f32, [8]>) to (%result0: !halide.buffer<f32, [8, 2]>) {
// CHECK-NEXT:   %total = halide.func "total"(x %x, y %y) in [1, 2] : f32 {
// CHECK-NEXT:     %0 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %total(x %x_1, y %y_1) over (r1 %r1 in 0 to 8) : !halide.func<f32, 2> {
// CHECK-NEXT:     %1 = halide.load %total[%x_1, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %2 = halide.load %in0[%r1, %y_1] : !halide.buffer<f32, [8, 2]> to f32
// CHECK-NEXT:     %3 = halide.add %1, %2 : f32
// CHECK-NEXT:     halide.yield %3 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %spread = halide.func "spread"(x %x_2, y %y_2) in [1, 2] : f32 {
// CHECK-NEXT:     %4 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %spread(x %x_3, y %y_3) over (r1 %r1_1 in 0 to 8) : !halide.func<f32, 2> {
// CHECK-NEXT:     %5 = halide.load %spread[%x_3, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %6 = halide.load %in0[%r1_1, %y_3] : !halide.buffer<f32, [8, 2]> to f32
// CHECK-NEXT:     %7 = halide.const 0 : i32
// CHECK-NEXT:     %8 = halide.load %total[%7, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %9 = halide.const 8.0 : f32
// CHECK-NEXT:     %10 = halide.div %8, %9 : f32
// CHECK-NEXT:     %11 = halide.sub %6, %10 : f32
// CHECK-NEXT:     %12 = halide.mul %11, %11 : f32
// CHECK-NEXT:     %13 = halide.add %5, %12 : f32
// CHECK-NEXT:     halide.yield %13 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_4, y %y_4) in [8, 2] : f32 {
// CHECK-NEXT:     %14 = halide.const 0 : i32
// CHECK-NEXT:     %15 = halide.load %spread[%14, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %16 = halide.const 8.0 : f32
// CHECK-NEXT:     %17 = halide.div %15, %16 : f32
// CHECK-NEXT:     %18 = halide.const 0.5 : f32
// CHECK-NEXT:     %19 = halide.add %17, %18 : f32
// CHECK-NEXT:     %20 = halide.sqrt %19 : f32
// CHECK-NEXT:     %21 = halide.const 1.0 : f32
// CHECK-NEXT:     %22 = halide.div %21, %20 : f32
// CHECK-NEXT:     %23 = halide.load %in0[%x_4, %y_4] : !halide.buffer<f32, [8, 2]> to f32
// CHECK-NEXT:     %24 = halide.load %total[%14, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %25 = halide.div %24, %16 : f32
// CHECK-NEXT:     %26 = halide.sub %23, %25 : f32
// CHECK-NEXT:     %27 = halide.mul %26, %22 : f32
// CHECK-NEXT:     %28 = halide.load %in1[%x_4] : !halide.buffer<f32, [8]> to f32
// CHECK-NEXT:     %29 = halide.mul %27, %28 : f32
// CHECK-NEXT:     halide.yield %29 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [8, 2]>
// CHECK-NEXT: }
