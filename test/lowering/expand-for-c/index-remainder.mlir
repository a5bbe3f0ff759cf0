// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// The remainder of an index is taken without a sign: of 2 * i - 1 by 4, Halide knows all lanes, and
// its C++ backend cannot write them. What is loaded is no index.

halide.pipeline @k(%x: !halide.buffer<i32, [8]>) to (%o: !halide.buffer<i32, [8]>) {
  %f = halide.func "f"(i %i) : i32 {
    %two = halide.const 2 : i32
    %one = halide.const 1 : i32
    %four = halide.const 4 : i32
    %twice = halide.mul %i, %two : i32
    %odd = halide.sub %twice, %one : i32
    %p = halide.mod %odd, %four : i32
    %a = halide.load %x[%i] : !halide.buffer<i32, [8]> to i32
    %q = halide.mod %a, %four : i32
    %r = halide.add %p, %q : i32
    halide.yield %r : i32
  }
  halide.output %f in %o : !halide.func<i32, 1> in !halide.buffer<i32, [8]>
}

// CHECK:      [[u:%.*]] = halide.cast %odd : i32 to ui32
// CHECK-NEXT: [[l:%.*]] = halide.const 2147483648 : ui32
// CHECK-NEXT: [[s:%.*]] = halide.add [[u]], [[l]] : ui32
// CHECK-NEXT: [[c:%.*]] = halide.const 4 : ui32
// CHECK-NEXT: [[m:%.*]] = halide.mod [[s]], [[c]] : ui32
// CHECK-NEXT: [[p:%.*]] = halide.cast [[m]] : ui32 to i32
// CHECK-NEXT: %a = halide.load
// CHECK-NEXT: [[q:%.*]] = halide.mod %a, %four : i32
// CHECK-NEXT: halide.add [[p]], [[q]] : i32
