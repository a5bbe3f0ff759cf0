// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A loop over a reduction fetches lines of a buffer, which a map gives, or which its body loads.

// CHECK-LABEL: halide.pipeline @p
halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %again: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %old = halide.load %f[%c] : !halide.func<f32, 1> to f32
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    // CHECK: halide.stride %again 1 : !halide.buffer<f32, [8, 64]>
    %stride = halide.stride %again 1 : !halide.buffer<f32, [8, 64]>
    %end = halide.const 56 : i32
    %sum = halide.add %stride, %end : i32
    %in = halide.lt %k, %sum : i32
    %l = halide.likely %v : f32
    %w = halide.load %again[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    %s = halide.select %in, %l, %w : f32
    %new = halide.add %old, %s : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.split %f "k" to "kb", "kt" by 4 {stage = 1} : !halide.func<f32, 1>
    // CHECK: halide.prefetch_line %f "kb" of %x at affine_map<(d0, d1) -> (0, ((d1 floordiv 4) + 16))> {stage = 1 : i64} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
    halide.prefetch_line %f "kb" of %x at affine_map<(c, k) -> (0, k floordiv 4 + 16)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
    // CHECK: halide.partition %f "kb" always {stage = 1 : i64} : !halide.func<f32, 1>
    halide.partition %f "kb" always {stage = 1} : !halide.func<f32, 1>
    // CHECK: halide.prefetch %f "kb" of %again ahead by 0 of "kb" {stage = 1 : i64} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
    halide.prefetch %f "kb" of %again ahead by 0 of "kb" {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}
