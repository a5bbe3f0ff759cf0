// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// An integer that becomes a float64 does so here, and is written as its bits.

halide.pipeline @k(%x: !halide.buffer<f64, [8]>, %y: !halide.buffer<f64, [8]>) to (%o: !halide.buffer<f64, [8]>) {
  %f = halide.func "f"(i %i) : f64 {
    %a = halide.load %x[%i] : !halide.buffer<f64, [8]> to f64
    %b = halide.load %y[%i] : !halide.buffer<f64, [8]> to f64
    %n = halide.const 123456789 : i64
    %c = halide.cast %n : i64 to f64
    %r = halide.add %a, %c : f64
    halide.yield %r : f64
  }
  halide.output %f in %o : !halide.func<f64, 1> in !halide.buffer<f64, [8]>
}

// CHECK:      [[n:%.*]] = halide.const 123456789 : i64
// CHECK-NEXT: [[v0:%.*]] = halide.const 4728057454347157504 : ui64
// CHECK-NEXT: [[c:%.*]] = halide.reinterpret [[v0]] : ui64 to f64
// CHECK-NEXT: [[r:%.*]] = halide.add %a, [[c]] : f64
// CHECK-NEXT: halide.yield [[r]] : f64
