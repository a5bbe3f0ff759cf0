// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A reduction ends where a scalar outside of all funcs says, which only a call brings. The extent is the largest.

halide.pipeline @p(%x: !halide.buffer<f32, [8, 4]>) to (%y: !halide.buffer<f32, [4]>) open [[1, 0], [0]] {
  %n = halide.extent %x 0 : !halide.buffer<f32, [8, 4]>
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.update %f(x %i) over (r %r in 0 to 8 until %n, s %s in 0 to 2) : !halide.func<f32, 1> {
    %v = halide.load %x[%r, %i] : !halide.buffer<f32, [8, 4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// CHECK: %n = halide.extent %x 0 : !halide.buffer<f32, [8, 4]>
// CHECK: halide.update %f(x %i_1) over (r %r in 0 to 8 until %n, s %s in 0 to 2) : !halide.func<f32, 1> {
