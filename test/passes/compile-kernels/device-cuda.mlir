// RUN: autodeploy-opt %s --compile-kernels | filecheck %s

// The starts of kernels for CUDA are those of OpenCL: they are read from the same text.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "cuda">} {
  halide.pipeline @two(%x: !halide.buffer<f32, [100]>) to (%y: !halide.buffer<f32, [100]>) config<device_plain, threads = [64]> on_device starts [0, 8] {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [100]> to f32
      %w = halide.sqrt %v : f32
      halide.yield %w : f32
    }
    %g = halide.func "g"(i %i) : f32 {
      %n = halide.const 99 : i32
      %j = halide.sub %n, %i : i32
      %v = halide.load %f[%j] : !halide.func<f32, 1> to f32
      halide.yield %v : f32
    }
    halide.output %g in %y : !halide.func<f32, 1> in !halide.buffer<f32, [100]>
    halide.schedule {
      halide.split %g "i" to "ib", "it" by 64 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 1>
      halide.gpu_blocks %g ["ib"] : !halide.func<f32, 1>
      halide.gpu_threads %g ["it"] : !halide.func<f32, 1>
      halide.compute_root %f : !halide.func<f32, 1>
      halide.split %f "i" to "ib", "it" by 32 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 1>
      halide.gpu_blocks %f ["ib"] : !halide.func<f32, 1>
      halide.gpu_threads %f ["it"] : !halide.func<f32, 1>
    }
  }
}

// CHECK: halide.pipeline @two(%x: !halide.buffer<f32, [100]>) to (%y: !halide.buffer<f32, [100]>) config<device_plain, threads = [64]> scratch 512 on_device starts [0, 8] arrays [400] launches [#halide.launch<"two_part0", grid = [4, 1, 1], block = [32, 1, 1], shared = 0, args = [2, 0]>, #halide.launch<"two_part1", grid = [2, 1, 1], block = [64, 1, 1], shared = 0, args = [2, 1]>] {
