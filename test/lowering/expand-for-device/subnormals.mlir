// RUN: autodeploy-opt %s --expand-for-device | filecheck %s

// Devices may take numbers that are too small to have all digits for 0: the bits tell them.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %l = halide.floor %a : f32
    %u = halide.ceil %a : f32
    %s = halide.add %l, %u : f32
    halide.yield %s : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK: %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %0 = halide.floor %a : f32
// CHECK: %1 = halide.reinterpret %a : f32 to ui32
// CHECK: %2 = halide.const 2147483649 : ui32
// CHECK: %3 = halide.sub %1, %2 : ui32
// CHECK: %4 = halide.const 8388607 : ui32
// CHECK: %5 = halide.lt %3, %4 : ui32
// CHECK: %6 = halide.const -1.0 : f32
// CHECK: %l = halide.select %5, %6, %0 : f32
// CHECK: %7 = halide.ceil %a : f32
// CHECK: %8 = halide.reinterpret %a : f32 to ui32
// CHECK: %9 = halide.const 1 : ui32
// CHECK: %10 = halide.sub %8, %9 : ui32
// CHECK: %11 = halide.const 8388607 : ui32
// CHECK: %12 = halide.lt %10, %11 : ui32
// CHECK: %13 = halide.const 1.0 : f32
// CHECK: %u = halide.select %12, %13, %7 : f32
// CHECK: %s = halide.add %l, %u : f32
// CHECK: halide.yield %s : f32
