// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Tensor cores compute sums of products, of factors along columns and along rows, in tiles of some sizes.

halide.pipeline @copied(%x: !halide.buffer<f32, [40, 20]>) to (%y: !halide.buffer<f32, [40, 20]>) on_device {
  %copy = halide.func "copy"(n %n, m %m) in [40, 20] : f32 {
    %v = halide.load %x[%n, %m] : !halide.buffer<f32, [40, 20]> to f32
    halide.yield %v : f32
  }
  halide.output %copy in %y : !halide.func<f32, 2> in !halide.buffer<f32, [40, 20]>
  halide.schedule {
    // expected-error@+1 {{tensor cores compute a func that passes on sums [tensor_c1]}}
    halide.tensor_cores %copy "tf32" in 64 by 32 : !halide.func<f32, 2>
  }
}

// -----

halide.pipeline @backwards(%x: !halide.buffer<f32, [24, 20]>, %w: !halide.buffer<f32, [40, 24]>) to (%y: !halide.buffer<f32, [40, 20]>) on_device {
  %part = halide.func "part"(n %n, m %m) in [40, 20] : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %part(n %n, m %m) over (k %k in 0 to 24) : !halide.func<f32, 2> {
    %old = halide.load %part[%n, %m] : !halide.func<f32, 2> to f32
    %end = halide.const 23 : i32
    %back = halide.sub %end, %k : i32
    %a = halide.load %x[%back, %m] : !halide.buffer<f32, [24, 20]> to f32
    %b = halide.load %w[%n, %k] : !halide.buffer<f32, [40, 24]> to f32
    %ab = halide.mul %a, %b : f32
    %new = halide.add %old, %ab : f32
    halide.yield %new : f32
  }
  %sums = halide.func "sums"(n %n, m %m) in [40, 20] : f32 {
    %v = halide.load %part[%n, %m] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %sums in %y : !halide.func<f32, 2> in !halide.buffer<f32, [40, 20]>
  halide.schedule {
    // expected-error@+1 {{the place of a factor is no sum of variables by constants [tensor_c2]}}
    halide.tensor_cores %sums "tf32" in 64 by 32 : !halide.func<f32, 2>
  }
}

// -----

halide.pipeline @columns(%x: !halide.buffer<f32, [24, 20]>, %w: !halide.buffer<f32, [40, 24]>) to (%y: !halide.buffer<f32, [40, 20]>) on_device {
  %part = halide.func "part"(n %n, m %m) in [40, 20] : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %part(n %n, m %m) over (k %k in 0 to 24) : !halide.func<f32, 2> {
    %old = halide.load %part[%n, %m] : !halide.func<f32, 2> to f32
    %a = halide.load %x[%k, %n] : !halide.buffer<f32, [24, 20]> to f32
    %b = halide.load %w[%n, %k] : !halide.buffer<f32, [40, 24]> to f32
    %ab = halide.mul %a, %b : f32
    %new = halide.add %old, %ab : f32
    halide.yield %new : f32
  }
  %sums = halide.func "sums"(n %n, m %m) in [40, 20] : f32 {
    %v = halide.load %part[%n, %m] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %sums in %y : !halide.func<f32, 2> in !halide.buffer<f32, [40, 20]>
  halide.schedule {
    // expected-error@+1 {{a factor varies along columns, and the other one along rows [tensor_c3]}}
    halide.tensor_cores %sums "tf32" in 64 by 32 : !halide.func<f32, 2>
  }
}

// -----

halide.pipeline @tile(%x: !halide.buffer<f32, [40, 20]>) to (%y: !halide.buffer<f32, [40, 20]>) on_device {
  %copy = halide.func "copy"(n %n, m %m) in [40, 20] : f32 {
    %v = halide.load %x[%n, %m] : !halide.buffer<f32, [40, 20]> to f32
    halide.yield %v : f32
  }
  halide.output %copy in %y : !halide.func<f32, 2> in !halide.buffer<f32, [40, 20]>
  halide.schedule {
    // expected-error@+1 {{no block computes a tile of 128 by 128 [tensor_c4]}}
    halide.tensor_cores %copy "tf32" in 128 by 128 : !halide.func<f32, 2>
  }
}
