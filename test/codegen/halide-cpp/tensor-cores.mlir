// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// Halide has no tensor cores: a comment states what they compute.

halide.pipeline @p(%x: !halide.buffer<f32, [24, 20]>, %w: !halide.buffer<f32, [40, 24]>) to (%y: !halide.buffer<f32, [40, 20]>) on_device {
  %part = halide.func "part"(n %n, m %m, p %p) in [40, 20, 2] : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %part(n %n, m %m, p %p) over (k %k in 0 to 12) : !halide.func<f32, 3> {
    %old = halide.load %part[%n, %m, %p] : !halide.func<f32, 3> to f32
    %steps = halide.const 12 : i32
    %first = halide.mul %p, %steps : i32
    %step = halide.add %first, %k : i32
    %a = halide.load %x[%step, %m] : !halide.buffer<f32, [24, 20]> to f32
    %b = halide.load %w[%n, %step] : !halide.buffer<f32, [40, 24]> to f32
    %ab = halide.mul %a, %b : f32
    %new = halide.add %old, %ab : f32
    halide.yield %new : f32
  }
  %sums = halide.func "sums"(n %n, m %m, p %p) in [40, 20, 2] : f32 {
    %v = halide.load %part[%n, %m, %p] : !halide.func<f32, 3> to f32
    halide.yield %v : f32
  }
  %out = halide.func "out"(n %n, m %m) : f32 {
    %i = halide.const 0 : i32
    %j = halide.const 1 : i32
    %c = halide.load %sums[%n, %m, %i] : !halide.func<f32, 3> to f32
    %d = halide.load %sums[%n, %m, %j] : !halide.func<f32, 3> to f32
    %e = halide.add %c, %d : f32
    halide.yield %e : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [40, 20]>
  halide.schedule {
    halide.tensor_cores %sums "tf32" in 64 by 32 : !halide.func<f32, 3>
  }
}

// CHECK:     // Tensor cores compute sums, from factors of tf32.
// CHECK-NOT: tensor_cores
