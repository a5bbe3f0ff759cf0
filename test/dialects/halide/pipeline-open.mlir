// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A pipeline says which dimensions of its buffers have extents that only a call brings.

halide.pipeline @f(%x: !halide.buffer<f32, [4, 8]>) to (%y: !halide.buffer<f32, [4, 8]>) open [[0, 2], [0, 2]] {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [4, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [4, 8]>
}

halide.pipeline @half(%x: !halide.buffer<f32, [4, 8]>) to (%y: !halide.buffer<f32, [4, 4]>) open [[0, 1], affine_map<(n) -> (0, n floordiv 2)>] {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [4, 8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [4, 4]>
}

// CHECK: halide.pipeline @f(%x: !halide.buffer<f32, [4, 8]>) to (%y: !halide.buffer<f32, [4, 8]>) open {{\[\[0, 2\], \[0, 2\]\]}} {
// CHECK: halide.pipeline @half(%x: !halide.buffer<f32, [4, 8]>) to (%y: !halide.buffer<f32, [4, 4]>) open {{\[\[0, 1\], affine_map<\(d0\) -> \(0, \(d0 floordiv 2\)\)>\]}} {
