// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// A kernel on the device, before it is compiled and after it.

halide.pipeline @plain(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
halide.pipeline @compiled(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> scratch 512 on_device starts [0, 8] arrays [16] launches [#halide.launch<"k_0", grid = [1, 1, 1], block = [64, 1, 1], shared = 0, args = [0, 2]>, #halide.launch<"k_1", grid = [1, 1, 1], block = [64, 1, 1], shared = 0, args = [2, 1]>] attributes {halide.note = 1 : i64} {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// CHECK: halide.pipeline @plain(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device {
// CHECK: halide.pipeline @compiled(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<device_plain, threads = [64]> scratch 512 on_device starts [0, 8] arrays [16] launches [#halide.launch<"k_0", grid = [1, 1, 1], block = [64, 1, 1], shared = 0, args = [0, 2]>, #halide.launch<"k_1", grid = [1, 1, 1], block = [64, 1, 1], shared = 0, args = [2, 1]>] attributes {halide.note = 1 : i64} {
