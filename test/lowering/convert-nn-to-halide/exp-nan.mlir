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
// CHECK-NEXT:     %2 = halide.const -175.3 : f32
// CHECK-NEXT:     %3 = halide.max %2, %0 : f32
// CHECK-NEXT:     %4 = halide.min %1, %3 : f32
// CHECK-NEXT:     %5 = halide.const 1.4426950408889634 : f32
// CHECK-NEXT:     %6 = halide.mul %4, %5 : f32
// CHECK-NEXT:     %7 = halide.const 8388861.0 : f32
// CHECK-NEXT:     %8 = halide.add %6, %7 : f32
// CHECK-NEXT:     %9 = halide.sub %8, %7 : f32
// CHECK-NEXT:     %10 = halide.const 0.693359375 : f32
// CHECK-NEXT:     %11 = halide.mul %9, %10 : f32
// CHECK-NEXT:     %12 = halide.sub %4, %11 : f32
// CHECK-NEXT:     %13 = halide.const -0.00021219444005471377 : f32
// CHECK-NEXT:     %14 = halide.mul %9, %13 : f32
// CHECK-NEXT:     %15 = halide.sub %12, %14 : f32
// CHECK-NEXT:     %16 = halide.reinterpret %8 : f32 to ui32
// CHECK-NEXT:     %17 = halide.const 2 : ui32
// CHECK-NEXT:     %18 = halide.div %16, %17 : ui32
// CHECK-NEXT:     %19 = halide.sub %16, %18 : ui32
// CHECK-NEXT:     %20 = halide.const 8388608 : ui32
// CHECK-NEXT:     %21 = halide.mul %18, %20 : ui32
// CHECK-NEXT:     %22 = halide.reinterpret %21 : ui32 to f32
// CHECK-NEXT:     %23 = halide.mul %19, %20 : ui32
// CHECK-NEXT:     %24 = halide.reinterpret %23 : ui32 to f32
// CHECK-NEXT:     %25 = halide.const 0.01662484183907509 : f32
// CHECK-NEXT:     %26 = halide.mul %25, %15 : f32
// CHECK-NEXT:     %27 = halide.const 0.08378198742866516 : f32
// CHECK-NEXT:     %28 = halide.add %26, %27 : f32
// CHECK-NEXT:     %29 = halide.mul %28, %15 : f32
// CHECK-NEXT:     %30 = halide.const 0.3333423637390137 : f32
// CHECK-NEXT:     %31 = halide.add %29, %30 : f32
// CHECK-NEXT:     %32 = halide.mul %31, %15 : f32
// CHECK-NEXT:     %33 = halide.const 0.999984516999386 : f32
// CHECK-NEXT:     %34 = halide.add %32, %33 : f32
// CHECK-NEXT:     %35 = halide.mul %34, %15 : f32
// CHECK-NEXT:     %36 = halide.const 2.0 : f32
// CHECK-NEXT:     %37 = halide.add %35, %36 : f32
// CHECK-NEXT:     %38 = halide.mul %37, %15 : f32
// CHECK-NEXT:     %39 = halide.add %38, %36 : f32
// CHECK-NEXT:     %40 = halide.mul %39, %22 : f32
// CHECK-NEXT:     %41 = halide.mul %40, %24 : f32
// CHECK-NEXT:     halide.yield %41 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
// CHECK-NEXT: }
