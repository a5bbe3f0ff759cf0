// RUN: autodeploy-opt %s --expand-for-rvv | filecheck %s

// A value is chosen by arithmetic on its bits, an index still by a select.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %zero = halide.const 0 : i32
    %inside = halide.le %zero, %i : i32
    %at = halide.select %inside, %i, %zero : i32
    %a = halide.load %x[%at] : !halide.buffer<f32, [8]> to f32
    %pad = halide.const 0.0 : f32
    %r = halide.select %inside, %a, %pad : f32
    halide.yield %r : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK:      %at = halide.select %inside, %i, %zero : i32
// CHECK:      [[yes:%.*]] = halide.reinterpret %a : f32 to ui32
// CHECK-NEXT: [[no:%.*]] = halide.reinterpret %pad : f32 to ui32
// CHECK-NEXT: [[difference:%.*]] = halide.sub [[yes]], [[no]] : ui32
// CHECK-NEXT: [[factor:%.*]] = halide.cast %inside : i1 to ui32
// CHECK-NEXT: [[chosen:%.*]] = halide.mul [[difference]], [[factor]] : ui32
// CHECK-NEXT: [[bits:%.*]] = halide.add [[no]], [[chosen]] : ui32
// CHECK-NEXT: [[r:%.*]] = halide.reinterpret [[bits]] : ui32 to f32
// CHECK-NEXT: halide.yield [[r]] : f32
