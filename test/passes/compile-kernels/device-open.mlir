// RUN: autodeploy-opt %s --compile-kernels | filecheck %s

// Counts of blocks and arguments of a kernel on the device follow from open extents; an array that one start passes on to
// another one has room for the largest extent.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @two(%x: !halide.buffer<f32, [4, 100]>) to (%y: !halide.buffer<f32, [4, 100]>) config<device_plain, threads = [64]> open [[0, 1], [0, 1]] on_device {
    %f = halide.func "f"(i %i, j %j) in [4, 100] : f32 {
      %v = halide.load %x[%i, %j] : !halide.buffer<f32, [4, 100]> to f32
      %w = halide.sqrt %v : f32
      halide.yield %w : f32
    }
    %g = halide.func "g"(i %i, j %j) : f32 {
      %n = halide.const 3 : i32
      %k = halide.sub %n, %i : i32
      %v = halide.load %f[%k, %j] : !halide.func<f32, 2> to f32
      %e = halide.extent %x 1 : !halide.buffer<f32, [4, 100]>
      %c = halide.cast %e : i32 to f32
      %q = halide.div %v, %c : f32
      halide.yield %q : f32
    }
    halide.output %g in %y : !halide.func<f32, 2> in !halide.buffer<f32, [4, 100]>
    halide.schedule {
      halide.split %g "j" to "jb", "jt" by 16 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
      halide.reorder %g ["i", "jt", "jb"] : !halide.func<f32, 2>
      halide.gpu_blocks %g ["jb"] : !halide.func<f32, 2>
      halide.gpu_threads %g ["i", "jt"] : !halide.func<f32, 2>
      halide.compute_root %f : !halide.func<f32, 2>
      halide.bound_storage %f "j" extent 100 : !halide.func<f32, 2>
      halide.gpu_blocks %f ["j"] : !halide.func<f32, 2>
      halide.gpu_threads %f ["i"] : !halide.func<f32, 2>
    }
  }
}

// CHECK: halide.pipeline @two(%x: !halide.buffer<f32, [4, 100]>) to (%y: !halide.buffer<f32, [4, 100]>) config<device_plain, threads = [64]> scratch 2048 open {{\[\[}}0, 1], [0, 1]] on_device arrays [1600] launches [#halide.launch<"two_part0", grid = ["extent(1, 1)", 1, 1], block = [4, 1, 1], shared = 0, args = [2, 0]>, #halide.launch<"two_part1", grid = ["((extent(1, 1) + 15)/16)", 1, 1], block = [4, 16, 1], shared = 0, args = [2, 1, "(extent(1, 1)/16)", "(float32(extent(0, 1)))", "extent(1, 1)"]>] {
