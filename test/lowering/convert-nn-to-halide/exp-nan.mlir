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
// CHECK-NEXT:     %7 = halide.const 8388864.0 : f32
// CHECK-NEXT:     %8 = halide.add %6, %7 : f32
// CHECK-NEXT:     %9 = halide.sub %8, %7 : f32
// CHECK-NEXT:     %10 = halide.const 0.693359375 : f32
// CHECK-NEXT:     %11 = halide.mul %9, %10 : f32
// CHECK-NEXT:     %12 = halide.sub %4, %11 : f32
// CHECK-NEXT:     %13 = halide.const -0.00021219444005471377 : f32
// CHECK-NEXT:     %14 = halide.mul %9, %13 : f32
// CHECK-NEXT:     %15 = halide.sub %12, %14 : f32
// CHECK-NEXT:     %16 = halide.reinterpret %8 : f32 to ui32
// CHECK-NEXT:     %17 = halide.const 1258291200 : ui32
// CHECK-NEXT:     %18 = halide.sub %16, %17 : ui32
// CHECK-NEXT:     %19 = halide.const 2 : ui32
// CHECK-NEXT:     %20 = halide.div %18, %19 : ui32
// CHECK-NEXT:     %21 = halide.const 1 : ui32
// CHECK-NEXT:     %22 = halide.sub %20, %21 : ui32
// CHECK-NEXT:     %23 = halide.sub %18, %20 : ui32
// CHECK-NEXT:     %24 = halide.sub %23, %19 : ui32
// CHECK-NEXT:     %25 = halide.const 8388608 : ui32
// CHECK-NEXT:     %26 = halide.mul %22, %25 : ui32
// CHECK-NEXT:     %27 = halide.reinterpret %26 : ui32 to f32
// CHECK-NEXT:     %28 = halide.mul %24, %25 : ui32
// CHECK-NEXT:     %29 = halide.reinterpret %28 : ui32 to f32
// CHECK-NEXT:     %30 = halide.const 0.01662484183907509 : f32
// CHECK-NEXT:     %31 = halide.mul %30, %15 : f32
// CHECK-NEXT:     %32 = halide.const 0.08378198742866516 : f32
// CHECK-NEXT:     %33 = halide.add %31, %32 : f32
// CHECK-NEXT:     %34 = halide.mul %33, %15 : f32
// CHECK-NEXT:     %35 = halide.const 0.3333423637390137 : f32
// CHECK-NEXT:     %36 = halide.add %34, %35 : f32
// CHECK-NEXT:     %37 = halide.mul %36, %15 : f32
// CHECK-NEXT:     %38 = halide.const 0.999984516999386 : f32
// CHECK-NEXT:     %39 = halide.add %37, %38 : f32
// CHECK-NEXT:     %40 = halide.mul %39, %15 : f32
// CHECK-NEXT:     %41 = halide.const 2.0 : f32
// CHECK-NEXT:     %42 = halide.add %40, %41 : f32
// CHECK-NEXT:     %43 = halide.mul %42, %15 : f32
// CHECK-NEXT:     %44 = halide.add %43, %41 : f32
// CHECK-NEXT:     %45 = halide.mul %44, %27 : f32
// CHECK-NEXT:     %46 = halide.mul %45, %29 : f32
// CHECK-NEXT:     halide.yield %46 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
// CHECK-NEXT: }
