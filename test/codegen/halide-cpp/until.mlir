// RUN: autodeploy-opt -t halide-cpp %s | filecheck %s

// The end of a reduction that only a call brings, and a region that reads the same scalar.

halide.pipeline @p(%x: !halide.buffer<f32, [8, 4]>) to (%y: !halide.buffer<f32, [4]>) open [[1, 0], [0]] {
  %n = halide.extent %x 0 : !halide.buffer<f32, [8, 4]>
  %two = halide.const 2 : i32
  %half = halide.div %n, %two : i32
  %f = halide.func "f"(x %i) : f32 {
    %v = halide.cast %half : i32 to f32
    halide.yield %v : f32
  }
  halide.update %f(x %i) over (r %r in 0 to 4 until %half) : !halide.func<f32, 1> {
    %o = halide.load %f[%i] : !halide.func<f32, 1> to f32
    %v = halide.load %x[%r, %i] : !halide.buffer<f32, [8, 4]> to f32
    %s = halide.add %o, %v : f32
    halide.yield %s : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// CHECK: y(x) = cast<float>(x_buffer.dim(0).extent() / 2);
// CHECK: RDom domain(0, x_buffer.dim(0).extent() / 2);
