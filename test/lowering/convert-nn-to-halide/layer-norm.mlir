// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// Sum, then the squared distances from the mean, each in eight lanes.

func.func @f(%x: tensor<2x8xf32>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %y = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.5 : f64} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  func.return %y : tensor<2x8xf32>
}

// CHECK:      halide.pipeline @layer_norm_0(%in0: !halide.buffer<f32, [8, 2]>, %in1: !halide.buffer<f32, [8]>) to (%result0: !halide.buffer<f32, [8, 2]>) {
// CHECK-NEXT:   %total_lanes = halide.func "total_lanes"(lane %lane, y %y) in [8, 2] : f32 {
// CHECK-NEXT:     %0 = halide.load %in0[%lane, %y] : !halide.buffer<f32, [8, 2]> to f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %total = halide.func "total"(x %x, y %y_1) in [1, 2] : f32 {
// CHECK-NEXT:     %1 = halide.const 0 : i32
// CHECK-NEXT:     %2 = halide.load %total_lanes[%1, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %3 = halide.const 1 : i32
// CHECK-NEXT:     %4 = halide.load %total_lanes[%3, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %5 = halide.const 2 : i32
// CHECK-NEXT:     %6 = halide.load %total_lanes[%5, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %7 = halide.const 3 : i32
// CHECK-NEXT:     %8 = halide.load %total_lanes[%7, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %9 = halide.const 4 : i32
// CHECK-NEXT:     %10 = halide.load %total_lanes[%9, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %11 = halide.const 5 : i32
// CHECK-NEXT:     %12 = halide.load %total_lanes[%11, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %13 = halide.const 6 : i32
// CHECK-NEXT:     %14 = halide.load %total_lanes[%13, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %15 = halide.const 7 : i32
// CHECK-NEXT:     %16 = halide.load %total_lanes[%15, %y_1] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %17 = halide.add %2, %10 : f32
// CHECK-NEXT:     %18 = halide.add %4, %12 : f32
// CHECK-NEXT:     %19 = halide.add %6, %14 : f32
// CHECK-NEXT:     %20 = halide.add %8, %16 : f32
// CHECK-NEXT:     %21 = halide.add %17, %19 : f32
// CHECK-NEXT:     %22 = halide.add %18, %20 : f32
// CHECK-NEXT:     %23 = halide.add %21, %22 : f32
// CHECK-NEXT:     halide.yield %23 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %spread_lanes = halide.func "spread_lanes"(lane %lane_1, y %y_2) in [8, 2] : f32 {
// CHECK-NEXT:     %24 = halide.load %in0[%lane_1, %y_2] : !halide.buffer<f32, [8, 2]> to f32
// CHECK-NEXT:     %25 = halide.const 0 : i32
// CHECK-NEXT:     %26 = halide.load %total[%25, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %27 = halide.const 8.0 : f32
// CHECK-NEXT:     %28 = halide.div %26, %27 : f32
// CHECK-NEXT:     %29 = halide.sub %24, %28 : f32
// CHECK-NEXT:     %30 = halide.mul %29, %29 : f32
// CHECK-NEXT:     halide.yield %30 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %spread = halide.func "spread"(x %x_1, y %y_3) in [1, 2] : f32 {
// CHECK-NEXT:     %31 = halide.const 0 : i32
// CHECK-NEXT:     %32 = halide.load %spread_lanes[%31, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %33 = halide.const 1 : i32
// CHECK-NEXT:     %34 = halide.load %spread_lanes[%33, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %35 = halide.const 2 : i32
// CHECK-NEXT:     %36 = halide.load %spread_lanes[%35, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %37 = halide.const 3 : i32
// CHECK-NEXT:     %38 = halide.load %spread_lanes[%37, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %39 = halide.const 4 : i32
// CHECK-NEXT:     %40 = halide.load %spread_lanes[%39, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %41 = halide.const 5 : i32
// CHECK-NEXT:     %42 = halide.load %spread_lanes[%41, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %43 = halide.const 6 : i32
// CHECK-NEXT:     %44 = halide.load %spread_lanes[%43, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %45 = halide.const 7 : i32
// CHECK-NEXT:     %46 = halide.load %spread_lanes[%45, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %47 = halide.add %32, %40 : f32
// CHECK-NEXT:     %48 = halide.add %34, %42 : f32
// CHECK-NEXT:     %49 = halide.add %36, %44 : f32
// CHECK-NEXT:     %50 = halide.add %38, %46 : f32
// CHECK-NEXT:     %51 = halide.add %47, %49 : f32
// CHECK-NEXT:     %52 = halide.add %48, %50 : f32
// CHECK-NEXT:     %53 = halide.add %51, %52 : f32
// CHECK-NEXT:     halide.yield %53 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_2, y %y_4) in [8, 2] : f32 {
// CHECK-NEXT:     %54 = halide.const 0 : i32
// CHECK-NEXT:     %55 = halide.load %spread[%54, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %56 = halide.const 8.0 : f32
// CHECK-NEXT:     %57 = halide.div %55, %56 : f32
// CHECK-NEXT:     %58 = halide.const 0.5 : f32
// CHECK-NEXT:     %59 = halide.add %57, %58 : f32
// CHECK-NEXT:     %60 = halide.sqrt %59 : f32
// CHECK-NEXT:     %61 = halide.const 1.0 : f32
// CHECK-NEXT:     %62 = halide.div %61, %60 : f32
// CHECK-NEXT:     %63 = halide.load %in0[%x_2, %y_4] : !halide.buffer<f32, [8, 2]> to f32
// CHECK-NEXT:     %64 = halide.load %total[%54, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %65 = halide.div %64, %56 : f32
// CHECK-NEXT:     %66 = halide.sub %63, %65 : f32
// CHECK-NEXT:     %67 = halide.mul %66, %62 : f32
// CHECK-NEXT:     %68 = halide.load %in1[%x_2] : !halide.buffer<f32, [8]> to f32
// CHECK-NEXT:     %69 = halide.mul %67, %68 : f32
// CHECK-NEXT:     halide.yield %69 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [8, 2]>
// CHECK-NEXT: }
