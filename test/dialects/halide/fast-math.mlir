// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// A pipeline whose sums of products may be contracted says so, behind its config. What reads such a sum
// adds a zero to its bits that only a call brings.

halide.pipeline @sum(%x: !halide.buffer<f32, [4, 3]>) to (%y: !halide.buffer<f32, [4, 3]>) config<gemm> fast_math scratch 64 {
  %f = halide.func "f"(i %i, j %j) : f32 {
    %v = halide.load %x[%i, %j] : !halide.buffer<f32, [4, 3]> to f32
    %p = halide.mul %v, %v : f32
    %b = halide.reinterpret %p : f32 to i32
    %e = halide.extent %x 1 : !halide.buffer<f32, [4, 3]>
    %three = halide.const 3 : i32
    %z = halide.sub %e, %three : i32
    %s = halide.add %b, %z : i32
    %h = halide.reinterpret %s : i32 to f32
    halide.yield %h : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [4, 3]>
}

// CHECK: halide.pipeline @sum(%x: !halide.buffer<f32, [4, 3]>) to (%y: !halide.buffer<f32, [4, 3]>) config<gemm> fast_math scratch 64 {
// CHECK:     %e = halide.extent %x 1 : !halide.buffer<f32, [4, 3]>
