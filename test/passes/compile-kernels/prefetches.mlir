// RUN: autodeploy-opt --set-machine=machine=x86-64-avx2 --compile-kernels %s | filecheck %s
// RUN: autodeploy-opt --set-machine=machine=x86-64-avx2 --compile-kernels --compile-kernels %s | filecheck %s
// RUN: autodeploy-opt --set-machine=machine=x86-64-avx2 --compile-kernels --set-machine=machine=aarch64-neon --compile-kernels %s | filecheck %s --check-prefix=NEON

// A pipeline says what compiling has made of its prefetches: on x86 they fetch to the second-level cache. Halide
// cannot part a loop in which no condition is likely; so the second kernel has none, for any machine.

halide.pipeline @fetches(%x: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %old = halide.load %f[%c] : !halide.func<f32, 1> to f32
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    %new = halide.add %old, %v : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.prefetch %f "k" of %x ahead by 4 of "k" {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}
halide.pipeline @drops(%x: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %old = halide.load %f[%c] : !halide.func<f32, 1> to f32
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    %new = halide.add %old, %v : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.partition %f "k" always {stage = 1} : !halide.func<f32, 1>
    halide.prefetch %f "k" of %x ahead by 4 of "k" {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
    halide.unroll %f "c" {stage = 1} : !halide.func<f32, 1>
  }
}

// CHECK:      halide.pipeline @fetches({{.*}} attributes {halide.prefetches = #halide<prefetches second_level>} {
// CHECK:        halide.prefetch
// CHECK:      halide.pipeline @drops({{.*}} attributes {halide.prefetches = #halide<prefetches dropped>} {
// CHECK:        halide.schedule {
// CHECK-NEXT:     halide.unroll %f "c"
// CHECK-NEXT:   }

// NEON:       halide.pipeline @fetches(%x: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>) {
// NEON:       halide.pipeline @drops({{.*}} attributes {halide.prefetches = #halide<prefetches dropped>} {
