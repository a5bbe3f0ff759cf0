// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// A constant of 64 bits is written as its bits.

halide.pipeline @k(%x: !halide.buffer<f64, [8]>, %y: !halide.buffer<f64, [8]>) to (%o: !halide.buffer<f64, [8]>) {
  %f = halide.func "f"(i %i) : f64 {
    %a = halide.load %x[%i] : !halide.buffer<f64, [8]> to f64
    %b = halide.load %y[%i] : !halide.buffer<f64, [8]> to f64
    %c = halide.const 0.1 : f64
    %r = halide.mul %a, %c : f64
    halide.yield %r : f64
  }
  halide.output %f in %o : !halide.func<f64, 1> in !halide.buffer<f64, [8]>
}

// CHECK:      [[v0:%.*]] = halide.const 4591870180066957722 : ui64
// CHECK-NEXT: [[c:%.*]] = halide.reinterpret [[v0]] : ui64 to f64
// CHECK-NEXT: [[r:%.*]] = halide.mul %a, [[c]] : f64
// CHECK-NEXT: halide.yield [[r]] : f64
