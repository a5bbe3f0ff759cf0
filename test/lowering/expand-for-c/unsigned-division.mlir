// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// Unsigned integers are divided by 1 in the place of 0, and the result is 0.

halide.pipeline @k(%x: !halide.buffer<ui8, [8]>, %y: !halide.buffer<ui8, [8]>) to (%o: !halide.buffer<ui8, [8]>) {
  %f = halide.func "f"(i %i) : ui8 {
    %a = halide.load %x[%i] : !halide.buffer<ui8, [8]> to ui8
    %b = halide.load %y[%i] : !halide.buffer<ui8, [8]> to ui8
    %q = halide.div %a, %b : ui8
    %m = halide.mod %q, %b : ui8
    %r = halide.min %m, %a : ui8
    halide.yield %r : ui8
  }
  halide.output %f in %o : !halide.func<ui8, 1> in !halide.buffer<ui8, [8]>
}

// CHECK:      [[v0:%.*]] = halide.const 0 : ui8
// CHECK-NEXT: [[v1:%.*]] = halide.eq %b, [[v0]] : ui8
// CHECK-NEXT: [[v2:%.*]] = halide.const 0 : ui8
// CHECK-NEXT: [[v3:%.*]] = halide.const 1 : ui8
// CHECK-NEXT: [[v4:%.*]] = halide.max %b, [[v3]] : ui8
// CHECK-NEXT: [[v5:%.*]] = halide.div %a, [[v4]] : ui8
// CHECK-NEXT: [[q:%.*]] = halide.select [[v1]], [[v2]], [[v5]] : ui8
// CHECK-NEXT: [[v6:%.*]] = halide.const 0 : ui8
// CHECK-NEXT: [[v7:%.*]] = halide.eq %b, [[v6]] : ui8
// CHECK-NEXT: [[v8:%.*]] = halide.const 0 : ui8
// CHECK-NEXT: [[v9:%.*]] = halide.const 1 : ui8
// CHECK-NEXT: [[v10:%.*]] = halide.max %b, [[v9]] : ui8
// CHECK-NEXT: [[v11:%.*]] = halide.mod [[q]], [[v10]] : ui8
// CHECK-NEXT: [[m:%.*]] = halide.select [[v7]], [[v8]], [[v11]] : ui8
// CHECK-NEXT: [[r:%.*]] = halide.min [[m]], %a : ui8
// CHECK-NEXT: halide.yield [[r]] : ui8
