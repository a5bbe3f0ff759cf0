// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// The remainder of floats has the sign of the divisor.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
    %r = halide.mod %a, %b : f32
    halide.yield %r : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK:      [[v0:%.*]] = halide.div %a, %b : f32
// CHECK-NEXT: [[v1:%.*]] = halide.floor [[v0]] : f32
// CHECK-NEXT: [[v2:%.*]] = halide.mul %b, [[v1]] : f32
// CHECK-NEXT: [[r:%.*]] = halide.sub %a, [[v2]] : f32
// CHECK-NEXT: halide.yield [[r]] : f32
