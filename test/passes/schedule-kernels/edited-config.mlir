// RUN: autodeploy-opt %s --schedule-kernels --split-input-file --verify-diagnostics | filecheck %s

// A config is checked where its kernel is lowered. One that is edited later is refused where a pipeline has its
// schedule, and where the template does not find what it schedules.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  halide.pipeline @scheduled(%x: !halide.buffer<f32, [60]>) to (%y: !halide.buffer<f32, [60]>) config<plain, vector = [16], unroll = [2]> {
    %f = halide.func "f"(x %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [60]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [60]>
    halide.schedule {
    }
  }
}

// CHECK: error: @scheduled has a schedule; another config is given before convert-nn-to-halide, which checks it (in pass 'schedule-kernels')

// -----

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  halide.pipeline @other(%x: !halide.buffer<f32, [60]>) to (%y: !halide.buffer<f32, [60]>) config<gemm, tile = [8, 4]> {
    %f = halide.func "f"(x %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [60]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [60]>
  }
}

// CHECK: error: @other was not lowered for #nn.config<gemm, tile = [8, 4]> (in pass 'schedule-kernels')
