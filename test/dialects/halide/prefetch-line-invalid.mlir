// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Lines are fetched in a loop over a reduction, of an input that the update can stand in for.

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{lines are fetched in a loop of an update [fetch_c1]}}
    halide.prefetch_line %f "c" of %x at affine_map<(c) -> (0, c)> : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{a prefetched buffer is an input of the pipeline [fetch_c2]}}
    halide.prefetch_line %f "k" of %y at affine_map<(c, k) -> (k)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{the update loads from no other buffer like !halide.buffer<i32, [8]> [fetch_c3]}}
    halide.prefetch_line %f "k" of %n at affine_map<(c, k) -> (k)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<i32, [8]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{the map takes 2 variables to 2 coordinates, found (d0) -> (0, d0) [prefetch_line_c2]}}
    halide.prefetch_line %f "k" of %x at affine_map<(c) -> (0, c)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{the map takes 2 variables to 2 coordinates, found (d0, d1) -> (d1) [prefetch_line_c2]}}
    halide.prefetch_line %f "k" of %x at affine_map<(c, k) -> (k)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{a map has +, *, and floordiv and mod by numbers}}
    halide.prefetch_line %f "k" of %x at affine_map<(c, k) -> (0, k ceildiv 2)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{a map has +, *, and floordiv and mod by numbers}}
    halide.prefetch_line %f "k" of %x at affine_map<(c, k) -> (0, k floordiv 0)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  // expected-error@+1 {{halide.prefetch: stage 1 of func 'f' has no loop 'kb'; did you mean 'k'?; its loops are c, k [schedule_c3]}}
  halide.schedule {
    halide.prefetch %f "kb" of %x ahead by 0 of "kb" {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  // expected-error@+1 {{loop 'c' runs over no reduction [fetch_c4]}}
  halide.schedule {
    halide.prefetch %f "c" of %x ahead by 0 of "c" {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{the func has stages 0 to 1, found 2 [stage_c1]}}
    halide.prefetch %f "k" of %x ahead by 0 of "k" {stage = 2} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  // expected-error@+1 {{halide.prefetch: stage 1 of func 'f' has no loop 'ko'; did you mean 'k'?; its loops are c, k [schedule_c3]}}
  halide.schedule {
    halide.prefetch %f "k" of %x ahead by 2 of "ko" {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{offset is not negative, found -1 [prefetch_c1]}}
    halide.prefetch %f "k" of %x ahead by -1 of "k" {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>, %n: !halide.buffer<i32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    // expected-error@+1 {{!halide.buffer<f32, [8, 64]> has no dimension 2 [dimension_c1]}}
    %stride = halide.stride %x 2 : !halide.buffer<f32, [8, 64]>
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  // expected-error@+1 {{stage 0 of func 'f' has no loop 'k'; its loops are c [schedule_c3]}}
  halide.schedule {
    halide.partition %f "k" never : !halide.func<f32, 1>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 8) : !halide.func<f32, 1> {
    %v = halide.load %x[%k] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{a prefetched buffer has two dimensions or more, found !halide.buffer<f32, [8]> [prefetch_line_c1]}}
    halide.prefetch_line %f "k" of %x at affine_map<(c, k) -> (k + 1)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8]>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, []>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 8) : !halide.func<f32, 1> {
    %v = halide.load %x[] : !halide.buffer<f32, []> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{a prefetched buffer has two dimensions or more, found !halide.buffer<f32, []> [prefetch_line_c1]}}
    halide.prefetch_line %f "k" of %x at affine_map<(c, k) -> ()> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, []>
  }
}

// -----

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    // expected-error@+1 {{a map has +, *, and floordiv and mod by numbers, found (d0, d1) -> (0, (d1 ceildiv 2)) [prefetch_line_c3]}}
    halide.prefetch_line %f "k" of %x at affine_map<(c, k) -> (0, k ceildiv 2)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
  }
}
