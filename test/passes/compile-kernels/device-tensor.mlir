// RUN: autodeploy-opt %s --compile-kernels | filecheck %s

// The sums of a product on tensor cores are an array, which its start fills and the next one reads.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "cuda-sm_80">} {
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
    halide.split %out "n" to "nb", "nt" by 8 : !halide.func<f32, 2>
    halide.split %out "m" to "mb", "mt" by 8 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
    halide.reorder %out ["nt", "mt", "nb", "mb"] : !halide.func<f32, 2>
    halide.gpu_blocks %out ["nb", "mb"] : !halide.func<f32, 2>
    halide.gpu_threads %out ["nt", "mt"] : !halide.func<f32, 2>
  }
}
}

// CHECK: on_device arrays [6400] launches [#halide.launch<"p_part0", grid = [1, 1, 2], block = [128, 1, 1], shared = 0, args = [0, 1, 3]>, #halide.launch<"p_part1", grid = [5, 3, 1], block = [8, 8, 1], shared = 0, args = [2, 3]>] {
