// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// What is fetched is a further input without constant bounds, and with a stride that only a call gives.

halide.pipeline @ahead(%x: !halide.buffer<f32, [8, 64]>, %x_ahead: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %old = halide.load %f[%c] : !halide.func<f32, 1> to f32
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    %stride = halide.stride %x_ahead 1 : !halide.buffer<f32, [8, 64]>
    %end = halide.const 56 : i32
    %limit = halide.add %stride, %end : i32
    %within = halide.lt %k, %limit : i32
    %near = halide.likely %v : f32
    %first = halide.const 0 : i32
    %four = halide.const 4 : i32
    %block = halide.div %k, %four : i32
    %far = halide.load %x_ahead[%first, %block] : !halide.buffer<f32, [8, 64]> to f32
    %read = halide.select %within, %near, %far : f32
    %new = halide.add %old, %read : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.split %f "k" to "kb", "kt" by 4 {stage = 1} : !halide.func<f32, 1>
    halide.prefetch %f "kb" of %x_ahead ahead by 0 of "kb" {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
    halide.reorder %f ["c", "kt", "kb"] {stage = 1} : !halide.func<f32, 1>
    halide.vectorize %f "c" by 8 {stage = 1} : !halide.func<f32, 1>
    halide.unroll %f "kt" {stage = 1} : !halide.func<f32, 1>
  }
}

// CHECK:      Input<Buffer<float, 2>> x{"x"};
// CHECK-NEXT: Input<Buffer<float, 2>> x_ahead{"x_ahead"};
// CHECK:      y(c) += select(k < x_ahead.dim(1).stride() + 56, likely(x(c, k)), x_ahead(0, k / 4));
// CHECK:      x.dim(1).set_bounds(0, 64).set_stride(8);
// CHECK-NEXT: x_ahead.dim(0).set_stride(1);
// CHECK-NOT:  x_ahead.dim(1)
// CHECK:      .prefetch(x_ahead, kb, kb, 0, PrefetchBoundStrategy::NonFaulting)
