// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// A long innermost axis is folded to sixteen parts side by side, these at last.

func.func @f(%x: tensor<2x64xf32>) -> tensor<2xf32> {
  %y = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<2x64xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK:      halide.pipeline @reduce_0(%in0: !halide.buffer<f32, [64, 2]>) to (%result0: !halide.buffer<f32, [2]>) {
// CHECK-NEXT:   %reduce_sum_lanes = halide.func "reduce_sum_lanes"(lane %lane, y %y) in [16, 2] : f32 {
// CHECK-NEXT:     %0 = halide.load %in0[%lane, %y] : !halide.buffer<f32, [64, 2]> to f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %reduce_sum_lanes(lane %lane_1, y %y_1) over (block %block in 0 to 3) : !halide.func<f32, 2> {
// CHECK-NEXT:     %1 = halide.load %reduce_sum_lanes[%lane_1, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %2 = halide.const 1 : i32
// CHECK-NEXT:     %3 = halide.add %block, %2 : i32
// CHECK-NEXT:     %4 = halide.const 16 : i32
// CHECK-NEXT:     %5 = halide.mul %3, %4 : i32
// CHECK-NEXT:     %6 = halide.add %5, %lane_1 : i32
// CHECK-NEXT:     %7 = halide.load %in0[%6, %y_1] : !halide.buffer<f32, [64, 2]> to f32
// CHECK-NEXT:     %8 = halide.add %1, %7 : f32
// CHECK-NEXT:     halide.yield %8 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %reduce_sum = halide.func "reduce_sum"(x %x, y %y_2) in [1, 2] : f32 {
// CHECK-NEXT:     %9 = halide.const 0 : i32
// CHECK-NEXT:     %10 = halide.load %reduce_sum_lanes[%9, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %11 = halide.const 1 : i32
// CHECK-NEXT:     %12 = halide.load %reduce_sum_lanes[%11, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %13 = halide.const 2 : i32
// CHECK-NEXT:     %14 = halide.load %reduce_sum_lanes[%13, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %15 = halide.const 3 : i32
// CHECK-NEXT:     %16 = halide.load %reduce_sum_lanes[%15, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %17 = halide.const 4 : i32
// CHECK-NEXT:     %18 = halide.load %reduce_sum_lanes[%17, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %19 = halide.const 5 : i32
// CHECK-NEXT:     %20 = halide.load %reduce_sum_lanes[%19, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %21 = halide.const 6 : i32
// CHECK-NEXT:     %22 = halide.load %reduce_sum_lanes[%21, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %23 = halide.const 7 : i32
// CHECK-NEXT:     %24 = halide.load %reduce_sum_lanes[%23, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %25 = halide.const 8 : i32
// CHECK-NEXT:     %26 = halide.load %reduce_sum_lanes[%25, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %27 = halide.const 9 : i32
// CHECK-NEXT:     %28 = halide.load %reduce_sum_lanes[%27, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %29 = halide.const 10 : i32
// CHECK-NEXT:     %30 = halide.load %reduce_sum_lanes[%29, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %31 = halide.const 11 : i32
// CHECK-NEXT:     %32 = halide.load %reduce_sum_lanes[%31, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %33 = halide.const 12 : i32
// CHECK-NEXT:     %34 = halide.load %reduce_sum_lanes[%33, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %35 = halide.const 13 : i32
// CHECK-NEXT:     %36 = halide.load %reduce_sum_lanes[%35, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %37 = halide.const 14 : i32
// CHECK-NEXT:     %38 = halide.load %reduce_sum_lanes[%37, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %39 = halide.const 15 : i32
// CHECK-NEXT:     %40 = halide.load %reduce_sum_lanes[%39, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %41 = halide.add %10, %26 : f32
// CHECK-NEXT:     %42 = halide.add %12, %28 : f32
// CHECK-NEXT:     %43 = halide.add %14, %30 : f32
// CHECK-NEXT:     %44 = halide.add %16, %32 : f32
// CHECK-NEXT:     %45 = halide.add %18, %34 : f32
// CHECK-NEXT:     %46 = halide.add %20, %36 : f32
// CHECK-NEXT:     %47 = halide.add %22, %38 : f32
// CHECK-NEXT:     %48 = halide.add %24, %40 : f32
// CHECK-NEXT:     %49 = halide.add %41, %45 : f32
// CHECK-NEXT:     %50 = halide.add %42, %46 : f32
// CHECK-NEXT:     %51 = halide.add %43, %47 : f32
// CHECK-NEXT:     %52 = halide.add %44, %48 : f32
// CHECK-NEXT:     %53 = halide.add %49, %51 : f32
// CHECK-NEXT:     %54 = halide.add %50, %52 : f32
// CHECK-NEXT:     %55 = halide.add %53, %54 : f32
// CHECK-NEXT:     halide.yield %55 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_1) in [2] : f32 {
// CHECK-NEXT:     %56 = halide.const 0 : i32
// CHECK-NEXT:     %57 = halide.load %reduce_sum[%56, %x_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     halide.yield %57 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [2]>
// CHECK-NEXT: }
