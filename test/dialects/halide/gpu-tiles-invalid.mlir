// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Blocks and threads run side by side, so no two of them write one element: the last tile moves inwards over another.

halide.pipeline @blocks(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) on_device {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.gpu_blocks: loop 'xo' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.gpu_blocks %g ["xo"] : !halide.func<f32, 2>
  }
}

// -----

halide.pipeline @threads(%x: !halide.buffer<f32, [30, 8]>) to (%y: !halide.buffer<f32, [30, 8]>) on_device {
  %g = halide.func "g"(x %i, y %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [30, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [30, 8]>
  // expected-error@+1 {{halide.gpu_threads: loop 'xo' of func 'g' writes elements in two iterations, as the last tile of a split moves inwards, and must not run in parallel [schedule_c6]}}
  halide.schedule {
    halide.split %g "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
    halide.gpu_threads %g ["y", "xo"] : !halide.func<f32, 2>
  }
}
