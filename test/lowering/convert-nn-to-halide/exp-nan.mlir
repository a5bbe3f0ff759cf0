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
// CHECK-NEXT:     %4 = halide.min %1, %3 : f32
// CHECK-NEXT:     %5 = halide.const 1.4426950408889634 : f32
// CHECK-NEXT:     %6 = halide.mul %4, %5 : f32
// CHECK-NEXT:     %7 = halide.const 127.0 : f32
// CHECK-NEXT:     %8 = halide.add %6, %7 : f32
// CHECK-NEXT:     %9 = halide.cast %8 : f32 to i32
// CHECK-NEXT:     %10 = halide.const 127 : i32
// CHECK-NEXT:     %11 = halide.sub %9, %10 : i32
// CHECK-NEXT:     %12 = halide.cast %11 : i32 to f32
// CHECK-NEXT:     %13 = halide.const 0.693359375 : f32
// CHECK-NEXT:     %14 = halide.mul %12, %13 : f32
// CHECK-NEXT:     %15 = halide.sub %4, %14 : f32
// CHECK-NEXT:     %16 = halide.const -0.00021219444005471377 : f32
// CHECK-NEXT:     %17 = halide.mul %12, %16 : f32
// CHECK-NEXT:     %18 = halide.sub %15, %17 : f32
// CHECK-NEXT:     %19 = halide.const 0.011669469805636554 : f32
// CHECK-NEXT:     %20 = halide.mul %19, %18 : f32
// CHECK-NEXT:     %21 = halide.const 0.039062496233085095 : f32
// CHECK-NEXT:     %22 = halide.add %20, %21 : f32
// CHECK-NEXT:     %23 = halide.mul %22, %18 : f32
// CHECK-NEXT:     %24 = halide.const 0.1675549783138868 : f32
// CHECK-NEXT:     %25 = halide.add %23, %24 : f32
// CHECK-NEXT:     %26 = halide.mul %25, %18 : f32
// CHECK-NEXT:     %27 = halide.const 0.4998708223518062 : f32
// CHECK-NEXT:     %28 = halide.add %26, %27 : f32
// CHECK-NEXT:     %29 = halide.mul %28, %18 : f32
// CHECK-NEXT:     %30 = halide.const 1.000005960971083 : f32
// CHECK-NEXT:     %31 = halide.add %29, %30 : f32
// CHECK-NEXT:     %32 = halide.mul %31, %18 : f32
// CHECK-NEXT:     %33 = halide.const 1.0 : f32
// CHECK-NEXT:     %34 = halide.add %32, %33 : f32
// CHECK-NEXT:     %35 = halide.const 8388608 : i32
// CHECK-NEXT:     %36 = halide.mul %9, %35 : i32
// CHECK-NEXT:     %37 = halide.reinterpret %36 : i32 to f32
// CHECK-NEXT:     %38 = halide.mul %34, %37 : f32
// CHECK-NEXT:     halide.yield %38 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
// CHECK-NEXT: }
