// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Halide's log is for numbers; what x exceeds the largest one by stands in for nan and inf.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>):
    %v = nn.log %x_ : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK:      halide.pipeline @log_0(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [4]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x) in [4] : f32 {
// CHECK-NEXT:     %0 = halide.load %in0[%x] : !halide.buffer<f32, [4]> to f32
// CHECK-NEXT:     %1 = halide.const 1.1754943508222875e-38 : f32
// CHECK-NEXT:     %2 = halide.lt %0, %1 : f32
// CHECK-NEXT:     %3 = halide.const 16777216.0 : f32
// CHECK-NEXT:     %4 = halide.mul %0, %3 : f32
// CHECK-NEXT:     %5 = halide.select %2, %4, %0 : f32
// CHECK-NEXT:     %6 = halide.log %5 : f32
// CHECK-NEXT:     %7 = halide.const 16.635532333438686 : f32
// CHECK-NEXT:     %8 = halide.const 0.0 : f32
// CHECK-NEXT:     %9 = halide.select %2, %7, %8 : f32
// CHECK-NEXT:     %10 = halide.sub %6, %9 : f32
// CHECK-NEXT:     %11 = halide.const 1.0 : f32
// CHECK-NEXT:     %12 = halide.lt %0, %11 : f32
// CHECK-NEXT:     %13 = halide.const 3.4028234663852886e+38 : f32
// CHECK-NEXT:     %14 = halide.sub %0, %13 : f32
// CHECK-NEXT:     %15 = halide.max %10, %14 : f32
// CHECK-NEXT:     %16 = halide.select %12, %10, %15 : f32
// CHECK-NEXT:     halide.yield %16 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
// CHECK-NEXT: }
