// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A directive names one to three loops, which exist, differ and write different elements.

halide.pipeline @none(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(c %c) : f32 {
    %v = halide.load %x[%c] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{one to three loops that differ, found  [gpu_c1]}}
    halide.gpu_blocks %f [] : !halide.func<f32, 1>
  }
}

// -----

halide.pipeline @twice(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(c %c) : f32 {
    %v = halide.load %x[%c] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{one to three loops that differ, found c, c [gpu_c1]}}
    halide.gpu_threads %f ["c", "c"] : !halide.func<f32, 1>
  }
}

// -----

halide.pipeline @four(%x: !halide.buffer<f32, [2, 2, 2, 2]>) to (%y: !halide.buffer<f32, [2, 2, 2, 2]>) on_device {
  %f = halide.func "f"(a %a, b %b, c %c, d %d) : f32 {
    %v = halide.load %x[%a, %b, %c, %d] : !halide.buffer<f32, [2, 2, 2, 2]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 4> in !halide.buffer<f32, [2, 2, 2, 2]>
  halide.schedule {
    // expected-error@+1 {{one to three loops that differ, found a, b, c, d [gpu_c1]}}
    halide.gpu_threads %f ["a", "b", "c", "d"] : !halide.func<f32, 4>
  }
}

// -----

halide.pipeline @sum(%x: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>) on_device {
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
  // expected-error@+1 {{loop 'k' runs over a reduction [gpu_c2]}}
  halide.schedule {
    halide.gpu_threads %f ["k"] {stage = 1} : !halide.func<f32, 1>
  }
}

// -----

halide.pipeline @missing(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(c %c) : f32 {
    %v = halide.load %x[%c] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  // expected-error@+1 {{halide.gpu_blocks: stage 0 of func 'f' has no loop 'cb'; did you mean 'c'?; its loops are c [schedule_c3]}}
  halide.schedule {
    halide.gpu_blocks %f ["cb"] : !halide.func<f32, 1>
  }
}

// -----

halide.pipeline @stages(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(c %c) : f32 {
    %v = halide.load %x[%c] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{the func has stages 0 to 0, found 1 [stage_c1]}}
    halide.gpu_single_thread %f {stage = 1} : !halide.func<f32, 1>
  }
}
