// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// What a kernel asks the runtime for at one time, and each thread that helps it, and its arrays on the stack: after the
// config, which may be absent.

halide.pipeline @a(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<row> scratch 4096 worker_scratch 0 stack 96 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

halide.pipeline @b(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 0 attributes {note = 1 : i32} {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// CHECK: halide.pipeline @a(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) config<row> scratch 4096 worker_scratch 0 stack 96 {
// CHECK: halide.pipeline @b(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 0 attributes {note = 1 : i32} {
