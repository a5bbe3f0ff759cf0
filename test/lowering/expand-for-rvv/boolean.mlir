// RUN: autodeploy-opt %s --expand-for-rvv | filecheck %s

// Booleans have no bits to compute with: they are chosen by logic.

halide.pipeline @k(%x: !halide.buffer<i1, [8]>, %y: !halide.buffer<i1, [8]>) to (%o: !halide.buffer<i1, [8]>) {
  %f = halide.func "f"(i %i) : i1 {
    %a = halide.load %x[%i] : !halide.buffer<i1, [8]> to i1
    %b = halide.load %y[%i] : !halide.buffer<i1, [8]> to i1
    %r = halide.select %a, %b, %a : i1
    halide.yield %r : i1
  }
  halide.output %f in %o : !halide.func<i1, 1> in !halide.buffer<i1, [8]>
}

// CHECK:      [[first:%.*]] = halide.and %a, %b : i1
// CHECK-NEXT: [[not:%.*]] = halide.not %a : i1
// CHECK-NEXT: [[second:%.*]] = halide.and [[not]], %a : i1
// CHECK-NEXT: halide.or [[first]], [[second]] : i1
