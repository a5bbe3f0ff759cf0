// RUN: autodeploy-opt %s --expand-for-device | filecheck %s

// Functions of devices say nothing of nan: a comparison chooses, and takes the second operand if one is nan, or for two
// zeros.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
    %l = halide.max %a, %b : f32
    %m = halide.min %l, %b : f32
    halide.yield %m : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK: halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) on_device {
// CHECK: %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
// CHECK: %0 = halide.lt %b, %a : f32
// CHECK: %1 = halide.strict %0 : i1
// CHECK: %l = halide.select %1, %a, %b : f32
// CHECK: %2 = halide.lt %l, %b : f32
// CHECK: %3 = halide.strict %2 : i1
// CHECK: %m = halide.select %3, %l, %b : f32
// CHECK: halide.yield %m : f32
// CHECK: halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
