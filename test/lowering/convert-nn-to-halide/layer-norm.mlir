// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// Sum, then the squared distances from the mean, each in eight lanes.

func.func @f(%x: tensor<2x8xf32>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %y = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.5 : f64} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  func.return %y : tensor<2x8xf32>
}

// CHECK:      halide.pipeline @layer_norm_0(%in0: !halide.buffer<f32, [8, 2]>, %in1: !halide.buffer<f32, [8]>) to (%result0: !halide.buffer<f32, [8, 2]>) fast_math {
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
// CHECK-NEXT:     %24 = halide.strict %23 : f32
// CHECK-NEXT:     halide.yield %24 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %spread_lanes = halide.func "spread_lanes"(lane %lane_1, y %y_2) in [8, 2] : f32 {
// CHECK-NEXT:     %25 = halide.load %in0[%lane_1, %y_2] : !halide.buffer<f32, [8, 2]> to f32
// CHECK-NEXT:     %26 = halide.const 0 : i32
// CHECK-NEXT:     %27 = halide.load %total[%26, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %28 = halide.const 8.0 : f32
// CHECK-NEXT:     %29 = halide.div %27, %28 : f32
// CHECK-NEXT:     %30 = halide.sub %25, %29 : f32
// CHECK-NEXT:     %31 = halide.mul %30, %30 : f32
// CHECK-NEXT:     halide.yield %31 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %spread = halide.func "spread"(x %x_1, y %y_3) in [1, 2] : f32 {
// CHECK-NEXT:     %32 = halide.const 0 : i32
// CHECK-NEXT:     %33 = halide.load %spread_lanes[%32, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %34 = halide.const 1 : i32
// CHECK-NEXT:     %35 = halide.load %spread_lanes[%34, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %36 = halide.const 2 : i32
// CHECK-NEXT:     %37 = halide.load %spread_lanes[%36, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %38 = halide.const 3 : i32
// CHECK-NEXT:     %39 = halide.load %spread_lanes[%38, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %40 = halide.const 4 : i32
// CHECK-NEXT:     %41 = halide.load %spread_lanes[%40, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %42 = halide.const 5 : i32
// CHECK-NEXT:     %43 = halide.load %spread_lanes[%42, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %44 = halide.const 6 : i32
// CHECK-NEXT:     %45 = halide.load %spread_lanes[%44, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %46 = halide.const 7 : i32
// CHECK-NEXT:     %47 = halide.load %spread_lanes[%46, %y_3] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %48 = halide.add %33, %41 : f32
// CHECK-NEXT:     %49 = halide.add %35, %43 : f32
// CHECK-NEXT:     %50 = halide.add %37, %45 : f32
// CHECK-NEXT:     %51 = halide.add %39, %47 : f32
// CHECK-NEXT:     %52 = halide.add %48, %50 : f32
// CHECK-NEXT:     %53 = halide.add %49, %51 : f32
// CHECK-NEXT:     %54 = halide.add %52, %53 : f32
// CHECK-NEXT:     %55 = halide.strict %54 : f32
// CHECK-NEXT:     halide.yield %55 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_2, y %y_4) in [8, 2] : f32 {
// CHECK-NEXT:     %56 = halide.extent %in0 1 : !halide.buffer<f32, [8, 2]>
// CHECK-NEXT:     %57 = halide.const 2 : i32
// CHECK-NEXT:     %58 = halide.sub %56, %57 : i32
// CHECK-NEXT:     %59 = halide.const 0 : i32
// CHECK-NEXT:     %60 = halide.load %spread[%59, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %61 = halide.reinterpret %60 : f32 to i32
// CHECK-NEXT:     %62 = halide.add %61, %58 : i32
// CHECK-NEXT:     %63 = halide.reinterpret %62 : i32 to f32
// CHECK-NEXT:     %64 = halide.const 8.0 : f32
// CHECK-NEXT:     %65 = halide.div %63, %64 : f32
// CHECK-NEXT:     %66 = halide.const 0.5 : f32
// CHECK-NEXT:     %67 = halide.add %65, %66 : f32
// CHECK-NEXT:     %68 = halide.sqrt %67 : f32
// CHECK-NEXT:     %69 = halide.const 1.0 : f32
// CHECK-NEXT:     %70 = halide.div %69, %68 : f32
// CHECK-NEXT:     %71 = halide.load %in0[%x_2, %y_4] : !halide.buffer<f32, [8, 2]> to f32
// CHECK-NEXT:     %72 = halide.load %total[%59, %y_4] : !halide.func<f32, 2> to f32
// CHECK-NEXT:     %73 = halide.div %72, %64 : f32
// CHECK-NEXT:     %74 = halide.sub %71, %73 : f32
// CHECK-NEXT:     %75 = halide.mul %74, %70 : f32
// CHECK-NEXT:     %76 = halide.load %in1[%x_2] : !halide.buffer<f32, [8]> to f32
// CHECK-NEXT:     %77 = halide.mul %75, %76 : f32
// CHECK-NEXT:     %78 = halide.strict %77 : f32
// CHECK-NEXT:     halide.yield %78 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [8, 2]>
// CHECK-NEXT: }
