// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --convert-nn-to-halide | filecheck %s

// A code is the last bits of a float, less its zero point and what else the float is. Weights that
// are widened are floats times their scales, which all rows read.

func.func @f(%x: tensor<1x32xf32>, %y: tensor<48x32xf32>, %w: tensor<3x2x8x16xui8>, %s: tensor<3x2x16xf32>, %z: tensor<3x2x16xui8>, %o: tensor<ui8>) -> (tensor<1x40xf32>, tensor<48x40xf32>) {
  %a = nn.kernel(%x, %w, %s, %z) {config = #nn.config<scaled, tile = [16, 1], widen = []>} : (tensor<1x32xf32>, tensor<3x2x8x16xui8>, tensor<3x2x16xf32>, tensor<3x2x16xui8>) -> tensor<1x40xf32> {
  ^bb0(%l: tensor<1x32xf32>, %c: tensor<3x2x8x16xui8>, %t: tensor<3x2x16xf32>, %p: tensor<3x2x16xui8>):
    %v = nn.scaled_matmul %l, %c, %t, %p {block = 16 : i64, columns = 40 : i64} : (tensor<1x32xf32>, tensor<3x2x8x16xui8>, tensor<3x2x16xf32>, tensor<3x2x16xui8>) -> tensor<1x40xf32>
    nn.yield %v : tensor<1x40xf32>
  }
  %b = nn.kernel(%y, %w, %s, %o) {config = #nn.config<scaled, tile = [8, 12], widen = [1]>} : (tensor<48x32xf32>, tensor<3x2x8x16xui8>, tensor<3x2x16xf32>, tensor<ui8>) -> tensor<48x40xf32> {
  ^bb0(%l: tensor<48x32xf32>, %c: tensor<3x2x8x16xui8>, %t: tensor<3x2x16xf32>, %p: tensor<ui8>):
    %v = nn.scaled_matmul %l, %c, %t, %p {block = 16 : i64, columns = 40 : i64} : (tensor<48x32xf32>, tensor<3x2x8x16xui8>, tensor<3x2x16xf32>, tensor<ui8>) -> tensor<48x40xf32>
    nn.yield %v : tensor<48x40xf32>
  }
  func.return %a, %b : tensor<1x40xf32>, tensor<48x40xf32>
}

// CHECK:      halide.update %block_sums(x %x_1, y %y_1, z %z_1) over (byte %byte in 0 to 8) : !halide.func<f32, 3> {
// CHECK-NEXT: %1 = halide.load %block_sums[%x_1, %y_1, %z_1] : !halide.func<f32, 3> to f32
// CHECK-NEXT: %2 = halide.const 16 : i32
// CHECK-NEXT: %3 = halide.div %x_1, %2 : i32
// CHECK-NEXT: %4 = halide.mod %x_1, %2 : i32
// CHECK-NEXT: %5 = halide.load %in1[%4, %byte, %z_1, %3] : !halide.buffer<ui8, [16, 8, 2, 3]> to ui8
// CHECK-NEXT: %6 = halide.cast %5 : ui8 to ui32
// CHECK-NEXT: %7 = halide.extent %in0 1 : !halide.buffer<f32, [32, 1]>
// CHECK-NEXT: %8 = halide.const 1 : i32
// CHECK-NEXT: %9 = halide.sub %7, %8 : i32
// CHECK-NEXT: %10 = halide.cast %9 : i32 to ui32
// CHECK-NEXT: %11 = halide.load %in3[%4, %z_1, %3] : !halide.buffer<ui8, [16, 2, 3]> to ui8
// CHECK-NEXT: %12 = halide.cast %11 : ui8 to i32
// CHECK-NEXT: %13 = halide.cast %12 : i32 to f32
// CHECK-NEXT: %14 = halide.mul %z_1, %2 : i32
// CHECK-NEXT: %15 = halide.add %14, %byte : i32
// CHECK-NEXT: %16 = halide.const 15 : ui32
// CHECK-NEXT: %17 = halide.add %10, %16 : ui32
// CHECK-NEXT: %18 = halide.bit_and %6, %17 : ui32
// CHECK-NEXT: %19 = halide.const 1258291200 : ui32
// CHECK-NEXT: %20 = halide.bit_or %18, %19 : ui32
// CHECK-NEXT: %21 = halide.reinterpret %20 : ui32 to f32
// CHECK-NEXT: %22 = halide.load %in0[%15, %y_1] : !halide.buffer<f32, [32, 1]> to f32
// CHECK-NEXT: %23 = halide.const 8388608.0 : f32
// CHECK-NEXT: %24 = halide.add %13, %23 : f32
// CHECK-NEXT: %25 = halide.sub %21, %24 : f32
// CHECK-NEXT: %26 = halide.mul %22, %25 : f32
// CHECK-NEXT: %27 = halide.add %1, %26 : f32
// CHECK-NEXT: %28 = halide.const 8 : i32
// CHECK-NEXT: %29 = halide.add %byte, %28 : i32
// CHECK-NEXT: %30 = halide.add %14, %29 : i32
// CHECK-NEXT: %31 = halide.const 240 : ui32
// CHECK-NEXT: %32 = halide.add %10, %31 : ui32
// CHECK-NEXT: %33 = halide.bit_and %6, %32 : ui32
// CHECK-NEXT: %34 = halide.const 1224736768 : ui32
// CHECK-NEXT: %35 = halide.bit_or %33, %34 : ui32
// CHECK-NEXT: %36 = halide.reinterpret %35 : ui32 to f32
// CHECK-NEXT: %37 = halide.load %in0[%30, %y_1] : !halide.buffer<f32, [32, 1]> to f32
// CHECK-NEXT: %38 = halide.const 524288.0 : f32
// CHECK-NEXT: %39 = halide.add %13, %38 : f32
// CHECK-NEXT: %40 = halide.sub %36, %39 : f32
// CHECK-NEXT: %41 = halide.mul %37, %40 : f32
// CHECK-NEXT: %42 = halide.add %27, %41 : f32
// CHECK-NEXT: halide.yield %42 : f32
// CHECK:      %weights = halide.func "weights"(x %x, y %y) in [40, 32] : f32 {
// CHECK-NEXT: %0 = halide.const 16 : i32
// CHECK-NEXT: %1 = halide.div %y, %0 : i32
// CHECK-NEXT: %2 = halide.mod %y, %0 : i32
// CHECK-NEXT: %3 = halide.const 8 : i32
// CHECK-NEXT: %4 = halide.mod %2, %3 : i32
// CHECK-NEXT: %5 = halide.div %2, %3 : i32
// CHECK-NEXT: %6 = halide.div %x, %0 : i32
// CHECK-NEXT: %7 = halide.mod %x, %0 : i32
// CHECK-NEXT: %8 = halide.load %in1[%7, %4, %1, %6] : !halide.buffer<ui8, [16, 8, 2, 3]> to ui8
// CHECK-NEXT: %9 = halide.cast %8 : ui8 to i32
// CHECK-NEXT: %10 = halide.div %9, %0 : i32
// CHECK-NEXT: %11 = halide.const 0 : i32
// CHECK-NEXT: %12 = halide.le %5, %11 : i32
// CHECK-NEXT: %13 = halide.mod %9, %0 : i32
// CHECK-NEXT: %14 = halide.select %12, %13, %10 : i32
// CHECK-NEXT: %15 = halide.load %in3[] : !halide.buffer<ui8, []> to ui8
// CHECK-NEXT: %16 = halide.cast %15 : ui8 to i32
// CHECK-NEXT: %17 = halide.sub %14, %16 : i32
// CHECK-NEXT: %18 = halide.cast %17 : i32 to f32
// CHECK-NEXT: %19 = halide.load %in2[%7, %1, %6] : !halide.buffer<f32, [16, 2, 3]> to f32
// CHECK-NEXT: %20 = halide.mul %18, %19 : f32
// CHECK-NEXT: %21 = halide.strict %20 : f32
// CHECK-NEXT: halide.yield %21 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %matmul = halide.func "matmul"(x %x_1, y %y_1) in [40, 48] : f32 {
// CHECK-NEXT: %22 = halide.const 0.0 : f32
// CHECK-NEXT: halide.yield %22 : f32
// CHECK-NEXT: }
// CHECK-NEXT: halide.update %matmul(x %x_2, y %y_2) over (k %k in 0 to 32) : !halide.func<f32, 2> {
// CHECK-NEXT: %23 = halide.load %matmul[%x_2, %y_2] : !halide.func<f32, 2> to f32
// CHECK-NEXT: %24 = halide.load %in0[%k, %y_2] : !halide.buffer<f32, [32, 48]> to f32
// CHECK-NEXT: %25 = halide.load %weights[%x_2, %k] : !halide.func<f32, 2> to f32
// CHECK-NEXT: %26 = halide.mul %24, %25 : f32
// CHECK-NEXT: %27 = halide.add %23, %26 : f32
// CHECK-NEXT: halide.yield %27 : f32
