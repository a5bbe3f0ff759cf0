// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// How many rows a band has: of the image that is read, of each func of role "rows", of the result.

halide.pipeline @bands(%in: !halide.buffer<f32, [4]>) to (%result: !halide.buffer<f32, [4]>) config<row_bands, bands = [9, 4, 4, 2]> scratch 64 {
  %rows = halide.func "rows"(x %x) in [4] : f32 {
    %v = halide.load %in[%x] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  %rows2 = halide.func "rows2" as "rows"(x %x) in [4] : f32 {
    %v = halide.load %rows[%x] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  %out = halide.func "out"(x %x) : f32 {
    %v = halide.load %rows2[%x] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %out in %result : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// CHECK: halide.pipeline @bands(%in: !halide.buffer<f32, [4]>) to (%result: !halide.buffer<f32, [4]>) config<row_bands, bands = [9, 4, 4, 2]> scratch 64 {
// CHECK: %rows = halide.func "rows"(x %x) in [4] : f32 {
// CHECK: %rows2 = halide.func "rows2" as "rows"(x %x_1) in [4] : f32 {
