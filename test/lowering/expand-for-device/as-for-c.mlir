// RUN: autodeploy-opt %s --expand-for-device | filecheck %s

// What C gets wrong, kernels of a device get wrong, too: of nan, <= is true.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<i1, [8]>) on_device {
  %f = halide.func "f"(i %i) : i1 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
    %l = halide.le %a, %b : f32
    halide.yield %l : i1
  }
  halide.output %f in %o : !halide.func<i1, 1> in !halide.buffer<i1, [8]>
}

// CHECK: %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %0 = halide.lt %b, %a : f32
// CHECK: %1 = halide.strict %0 : i1
// CHECK: %l = halide.not %1 : i1
// CHECK: halide.yield %l : i1
