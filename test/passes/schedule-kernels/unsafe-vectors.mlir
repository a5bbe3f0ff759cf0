// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --schedule-kernels | filecheck %s

// Halide would compute the second of two floats from their difference where the lanes of a
// remainder by 2 are taken apart: no vector of two floats is made. Integers stay one.

halide.pipeline @floats(%a: !halide.buffer<f32, [2]>, %b: !halide.buffer<f32, [2]>) to (%r: !halide.buffer<f32, [2]>) {
  %out = halide.func "out"(x %x) in [2] : f32 {
    %0 = halide.const 2 : i32
    %1 = halide.mod %x, %0 : i32
    %2 = halide.load %a[%1] : !halide.buffer<f32, [2]> to f32
    halide.yield %2 : f32
  }
  halide.output %out in %r : !halide.func<f32, 1> in !halide.buffer<f32, [2]>
}

// CHECK-LABEL: @floats
// CHECK: halide.schedule {
// CHECK-NEXT: halide.split %out "x" to "xo", "xi" by 2
// CHECK-NEXT: }

halide.pipeline @integers(%a: !halide.buffer<i32, [2]>) to (%r: !halide.buffer<i32, [2]>) {
  %out = halide.func "out"(x %x) in [2] : i32 {
    %0 = halide.const 2 : i32
    %1 = halide.mod %x, %0 : i32
    %2 = halide.load %a[%1] : !halide.buffer<i32, [2]> to i32
    halide.yield %2 : i32
  }
  halide.output %out in %r : !halide.func<i32, 1> in !halide.buffer<i32, [2]>
}

// CHECK-LABEL: @integers
// CHECK: halide.vectorize %out "xi"

// Near-misses: more lanes, and another remainder.

halide.pipeline @four(%a: !halide.buffer<f32, [2]>) to (%r: !halide.buffer<f32, [4]>) {
  %out = halide.func "out"(x %x) in [4] : f32 {
    %0 = halide.const 2 : i32
    %1 = halide.mod %x, %0 : i32
    %2 = halide.load %a[%1] : !halide.buffer<f32, [2]> to f32
    halide.yield %2 : f32
  }
  halide.output %out in %r : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// CHECK-LABEL: @four
// CHECK: halide.vectorize %out "xi"

halide.pipeline @thirds(%a: !halide.buffer<f32, [3]>) to (%r: !halide.buffer<f32, [2]>) {
  %out = halide.func "out"(x %x) in [2] : f32 {
    %0 = halide.const 3 : i32
    %1 = halide.mod %x, %0 : i32
    %2 = halide.load %a[%1] : !halide.buffer<f32, [3]> to f32
    halide.yield %2 : f32
  }
  halide.output %out in %r : !halide.func<f32, 1> in !halide.buffer<f32, [2]>
}

// CHECK-LABEL: @thirds
// CHECK: halide.vectorize %out "xi"
