// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// Near misses: signed integers; a constant divisor; a comparison of integers; a float constant of 32 bits.

halide.pipeline @k(%x: !halide.buffer<i32, [8]>, %y: !halide.buffer<i32, [8]>) to (%o: !halide.buffer<i32, [8]>) {
  %f = halide.func "f"(i %i) : i32 {
    %a = halide.load %x[%i] : !halide.buffer<i32, [8]> to i32
    %b = halide.load %y[%i] : !halide.buffer<i32, [8]> to i32
    %q = halide.div %a, %b : i32
    %c = halide.const 7 : i32
    %m = halide.mod %q, %c : i32
    %l = halide.le %m, %a : i32
    %d = halide.const 0.1 : f32
    %e = halide.cast %d : f32 to i32
    %r = halide.select %l, %m, %e : i32
    halide.yield %r : i32
  }
  halide.output %f in %o : !halide.func<i32, 1> in !halide.buffer<i32, [8]>
}

// CHECK:      [[q:%.*]] = halide.div %a, %b : i32
// CHECK-NEXT: [[c:%.*]] = halide.const 7 : i32
// CHECK-NEXT: [[m:%.*]] = halide.mod [[q]], [[c]] : i32
// CHECK-NEXT: [[l:%.*]] = halide.le [[m]], %a : i32
// CHECK-NEXT: [[d:%.*]] = halide.const 0.1 : f32
// CHECK-NEXT: [[e:%.*]] = halide.cast [[d]] : f32 to i32
// CHECK-NEXT: [[r:%.*]] = halide.select [[l]], [[m]], [[e]] : i32
// CHECK-NEXT: halide.yield [[r]] : i32
