// RUN: autodeploy-opt %s --expand-for-device | filecheck %s

// Halide writes no vectors of comparisons of floats for a device. A nan is known by its bits there, and a constant is none.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
    %c = halide.const 0.0 : f32
    %l = halide.max %c, %b : f32
    %n = halide.is_nan %a : f32
    %r = halide.select %n, %c, %l : f32
    halide.yield %r : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.split %f "i" to "ib", "it" by 4 : !halide.func<f32, 1>
    halide.vectorize %f "it" : !halide.func<f32, 1>
    halide.gpu_blocks %f ["ib"] : !halide.func<f32, 1>
  }
}

// CHECK: halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) on_device {
// CHECK: %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %c = halide.const 0.0 : f32
// CHECK: %0 = halide.max %b, %c : f32
// CHECK: %1 = halide.reinterpret %b : f32 to ui32
// CHECK: %2 = halide.const 2147483648 : ui32
// CHECK: %3 = halide.mod %1, %2 : ui32
// CHECK: %4 = halide.const 2139095040 : ui32
// CHECK: %5 = halide.lt %4, %3 : ui32
// CHECK: %l = halide.select %5, %b, %0 : f32
// CHECK: %6 = halide.reinterpret %a : f32 to ui32
// CHECK: %7 = halide.const 2147483648 : ui32
// CHECK: %8 = halide.mod %6, %7 : ui32
// CHECK: %9 = halide.const 2139095040 : ui32
// CHECK: %n = halide.lt %9, %8 : ui32
// CHECK: %r = halide.select %n, %c, %l : f32
// CHECK: halide.yield %r : f32
// CHECK: halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
