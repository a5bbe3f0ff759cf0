// RUN: autodeploy-opt %s --compile-kernels | filecheck %s

// Vectors are rounded on a device, for which Halide writes no vectors of strict comparisons of floats.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @round(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) config<device_plain, threads = [64]> fast_math on_device starts [0, 0] {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
      %r = halide.round %v : f32
      halide.yield %r : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
    halide.schedule {
      halide.split %f "i" to "ib", "it" by 4 : !halide.func<f32, 1>
      halide.vectorize %f "it" : !halide.func<f32, 1>
      halide.gpu_blocks %f ["ib"] : !halide.func<f32, 1>
    }
  }
}

// CHECK: halide.pipeline @round({{.*}}launches [#halide.launch<"round", grid = [2, 1, 1], block = [1, 1, 1], shared = 0, args = [1, 0]>]
