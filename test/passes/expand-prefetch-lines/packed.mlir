// RUN: autodeploy-opt %s --expand-prefetch-lines | filecheck %s

// Of an input whose strides a call brings nothing is fetched: the load that never runs would be about its stride.

// CHECK:     halide.pipeline @sum(%x: !halide.buffer<f32, [8, 4, 64]>) to (%y: !halide.buffer<f32, [8]>) open {{.*}} packed [0] {
// CHECK-NOT: halide.stride
// CHECK:       halide.split %f "k" to "ka", "kt" by 2
// CHECK-NOT: fetch
// CHECK:       halide.unroll %f "kt"
halide.pipeline @sum(%x: !halide.buffer<f32, [8, 4, 64]>) to (%y: !halide.buffer<f32, [8]>) open [[0, 1, 0], [0]] packed [0] {
  %f = halide.func "f"(c %c) : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %old = halide.load %f[%c] : !halide.func<f32, 1> to f32
    %zero = halide.const 0 : i32
    %v = halide.load %x[%c, %zero, %k] : !halide.buffer<f32, [8, 4, 64]> to f32
    %new = halide.add %old, %v : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.split %f "k" to "ka", "kt" by 2 {stage = 1} : !halide.func<f32, 1>
    halide.prefetch_line %f "ka" of %x at affine_map<(c, k) -> (0, 0, k + 2)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 4, 64]>
    halide.unroll %f "kt" {stage = 1} : !halide.func<f32, 1>
  }
}
