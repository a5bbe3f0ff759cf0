// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Two bounds keep the exponent in range and let nan pass; a polynomial does the rest.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>):
    %v = nn.exp %x_ : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK:      halide.pipeline @exp_0(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [4]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x) in [4] : f32 {
// CHECK-NEXT:     %0 = halide.load %in0[%x] : !halide.buffer<f32, [4]> to f32
// CHECK-NEXT:     %1 = halide.const 89.0 : f32
// CHECK-NEXT:     %2 = halide.const -88.0 : f32
// CHECK-NEXT:     %3 = halide.max %2, %0 : f32
// CHECK-NEXT:     %4 = halide.strict %3 : f32
// CHECK-NEXT:     %5 = halide.min %1, %4 : f32
// CHECK-NEXT:     %6 = halide.strict %5 : f32
// CHECK-NEXT:     %7 = halide.const 1.4426950408889634 : f32
// CHECK-NEXT:     %8 = halide.mul %6, %7 : f32
// CHECK-NEXT:     %9 = halide.const 127.0 : f32
// CHECK-NEXT:     %10 = halide.add %8, %9 : f32
// CHECK-NEXT:     %11 = halide.cast %10 : f32 to i32
// CHECK-NEXT:     %12 = halide.const 127 : i32
// CHECK-NEXT:     %13 = halide.sub %11, %12 : i32
// CHECK-NEXT:     %14 = halide.cast %13 : i32 to f32
// CHECK-NEXT:     %15 = halide.const 0.6931471805599453 : f32
// CHECK-NEXT:     %16 = halide.mul %14, %15 : f32
// CHECK-NEXT:     %17 = halide.sub %6, %16 : f32
// CHECK-NEXT:     %18 = halide.const 0.011669469805636554 : f32
// CHECK-NEXT:     %19 = halide.mul %18, %17 : f32
// CHECK-NEXT:     %20 = halide.const 0.039062496233085095 : f32
// CHECK-NEXT:     %21 = halide.add %19, %20 : f32
// CHECK-NEXT:     %22 = halide.mul %21, %17 : f32
// CHECK-NEXT:     %23 = halide.const 0.1675549783138868 : f32
// CHECK-NEXT:     %24 = halide.add %22, %23 : f32
// CHECK-NEXT:     %25 = halide.mul %24, %17 : f32
// CHECK-NEXT:     %26 = halide.const 0.4998708223518062 : f32
// CHECK-NEXT:     %27 = halide.add %25, %26 : f32
// CHECK-NEXT:     %28 = halide.mul %27, %17 : f32
// CHECK-NEXT:     %29 = halide.const 1.000005960971083 : f32
// CHECK-NEXT:     %30 = halide.add %28, %29 : f32
// CHECK-NEXT:     %31 = halide.mul %30, %17 : f32
// CHECK-NEXT:     %32 = halide.const 1.0 : f32
// CHECK-NEXT:     %33 = halide.add %31, %32 : f32
// CHECK-NEXT:     %34 = halide.const 8388608 : i32
// CHECK-NEXT:     %35 = halide.mul %11, %34 : i32
// CHECK-NEXT:     %36 = halide.reinterpret %35 : i32 to f32
// CHECK-NEXT:     %37 = halide.mul %33, %36 : f32
// CHECK-NEXT:     halide.yield %37 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
// CHECK-NEXT: }
