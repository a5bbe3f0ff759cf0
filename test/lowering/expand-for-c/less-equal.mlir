// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// Of nan, <= is true: it is the negation of >.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<i1, [8]>) {
  %f = halide.func "f"(i %i) : i1 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
    %r = halide.le %a, %b : f32
    halide.yield %r : i1
  }
  halide.output %f in %o : !halide.func<i1, 1> in !halide.buffer<i1, [8]>
}

// CHECK:      [[v0:%.*]] = halide.lt %b, %a : f32
// CHECK-NEXT: [[v1:%.*]] = halide.strict [[v0]] : i1
// CHECK-NEXT: [[r:%.*]] = halide.not [[v1]] : i1
// CHECK-NEXT: halide.yield [[r]] : i1
