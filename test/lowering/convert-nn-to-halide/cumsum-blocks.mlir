// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// Sums of blocks, of the blocks before an element, and within its own.

func.func @f(%x: tensor<36xf32>) -> tensor<36xf32> {
  %y = nn.cumsum %x {axis = 0 : i64} : (tensor<36xf32>) -> tensor<36xf32>
  func.return %y : tensor<36xf32>
}

// CHECK:      halide.pipeline @cumsum_0(%in0: !halide.buffer<f32, [36]>) to (%result0: !halide.buffer<f32, [36]>) {
// CHECK-NEXT:   %block = halide.func "block"(x %x) in [6] : f32 {
// CHECK-NEXT:     %0 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %block(x %x_1) over (r %r in 0 to 6) : !halide.func<f32, 1> {
// CHECK-NEXT:     %1 = halide.load %block[%x_1] : !halide.func<f32, 1> to f32
// CHECK-NEXT:     %2 = halide.const 6 : i32
// CHECK-NEXT:     %3 = halide.mul %x_1, %2 : i32
// CHECK-NEXT:     %4 = halide.add %3, %r : i32
// CHECK-NEXT:     %5 = halide.load %in0[%4] : !halide.buffer<f32, [36]> to f32
// CHECK-NEXT:     %6 = halide.add %1, %5 : f32
// CHECK-NEXT:     halide.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %before = halide.func "before"(x %x_2) in [36] : f32 {
// CHECK-NEXT:     %7 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %before(x %x_3) over (b %b in 0 to 6) : !halide.func<f32, 1> {
// CHECK-NEXT:     %8 = halide.load %before[%x_3] : !halide.func<f32, 1> to f32
// CHECK-NEXT:     %9 = halide.const 6 : i32
// CHECK-NEXT:     %10 = halide.div %x_3, %9 : i32
// CHECK-NEXT:     %11 = halide.load %block[%b] : !halide.func<f32, 1> to f32
// CHECK-NEXT:     %12 = halide.lt %b, %10 : i32
// CHECK-NEXT:     %13 = halide.const 0.0 : f32
// CHECK-NEXT:     %14 = halide.select %12, %11, %13 : f32
// CHECK-NEXT:     %15 = halide.add %8, %14 : f32
// CHECK-NEXT:     halide.yield %15 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %within = halide.func "within"(x %x_4) in [36] : f32 {
// CHECK-NEXT:     %16 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %16 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %within(x %x_5) over (r %r_1 in 0 to 6) : !halide.func<f32, 1> {
// CHECK-NEXT:     %17 = halide.load %within[%x_5] : !halide.func<f32, 1> to f32
// CHECK-NEXT:     %18 = halide.const 6 : i32
// CHECK-NEXT:     %19 = halide.mod %x_5, %18 : i32
// CHECK-NEXT:     %20 = halide.sub %x_5, %19 : i32
// CHECK-NEXT:     %21 = halide.add %20, %r_1 : i32
// CHECK-NEXT:     %22 = halide.le %21, %x_5 : i32
// CHECK-NEXT:     %23 = halide.load %in0[%21] : !halide.buffer<f32, [36]> to f32
// CHECK-NEXT:     %24 = halide.const 0.0 : f32
// CHECK-NEXT:     %25 = halide.select %22, %23, %24 : f32
// CHECK-NEXT:     %26 = halide.add %17, %25 : f32
// CHECK-NEXT:     halide.yield %26 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_6) in [36] : f32 {
// CHECK-NEXT:     %27 = halide.load %within[%x_6] : !halide.func<f32, 1> to f32
// CHECK-NEXT:     %28 = halide.load %before[%x_6] : !halide.func<f32, 1> to f32
// CHECK-NEXT:     %29 = halide.add %28, %27 : f32
// CHECK-NEXT:     halide.yield %29 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [36]>
// CHECK-NEXT: }
