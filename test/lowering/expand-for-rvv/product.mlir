// RUN: autodeploy-opt %s --expand-for-rvv | filecheck %s

// Signed integers are multiplied by their bits. Indices and floats stay.

halide.pipeline @k(%x: !halide.buffer<ui8, [8]>, %y: !halide.buffer<i8, [8]>, %z: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<i32, [4]>) {
  %f = halide.func "f"(i %i) : i32 {
    %two = halide.const 2 : i32
    %place = halide.mul %i, %two : i32
    %a = halide.load %x[%place] : !halide.buffer<ui8, [8]> to ui8
    %b = halide.load %y[%i] : !halide.buffer<i8, [8]> to i8
    %c = halide.load %z[%i] : !halide.buffer<f32, [8]> to f32
    %d = halide.cast %a : ui8 to i32
    %e = halide.cast %b : i8 to i32
    %p = halide.mul %d, %e : i32
    %q = halide.mul %c, %c : f32
    %r = halide.cast %q : f32 to i32
    %s = halide.add %p, %r : i32
    halide.yield %s : i32
  }
  halide.output %f in %o : !halide.func<i32, 1> in !halide.buffer<i32, [4]>
}

// CHECK:      %place = halide.mul %i, %two : i32
// CHECK:      %d = halide.cast %a : ui8 to i32
// CHECK-NEXT: %e = halide.cast %b : i8 to i32
// CHECK-NEXT: [[lhs:%.*]] = halide.reinterpret %d : i32 to ui32
// CHECK-NEXT: [[rhs:%.*]] = halide.reinterpret %e : i32 to ui32
// CHECK-NEXT: [[product:%.*]] = halide.mul [[lhs]], [[rhs]] : ui32
// CHECK-NEXT: halide.reinterpret [[product]] : ui32 to i32
// CHECK-NEXT: halide.mul %c, %c : f32
