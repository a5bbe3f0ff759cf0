// RUN: not autodeploy-opt %s --compile-kernels 2>&1 | filecheck %s

// A kernel that is not scheduled for the device has no text for it.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @one(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
}

// CHECK: error: kernel 'one' cannot be compiled for a device: the text has no kernels
