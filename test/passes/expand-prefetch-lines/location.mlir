// RUN: autodeploy-opt %s --expand-prefetch-lines --print-debuginfo | filecheck %s

// A call that gets a buffer a second time still names the node that it came from.

halide.pipeline @sum(%x: !halide.buffer<f32, [8, 64]>, %z: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %v = halide.load %z[%c] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.update %f(c %c) over (k %k in 2 to 64) : !halide.func<f32, 1> {
    %old = halide.load %f[%c] : !halide.func<f32, 1> to f32
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    %twice = halide.add %v, %v : f32
    %new = halide.add %old, %twice : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.split %f "k" to "ka", "kt" by 2 {stage = 1} : !halide.func<f32, 1>
    halide.split %f "ka" to "kb", "ka" by 2 {stage = 1} : !halide.func<f32, 1>
    halide.prefetch_line %f "kb" of %x at affine_map<(c, k) -> (0, k floordiv 4 * 3 + (c + 1) mod 8)> {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
    halide.unroll %f "kt" {stage = 1} : !halide.func<f32, 1>
  }
}

driver.program @main inputs ["x", "z"] outputs ["y"] {
^bb0(%x: memref<64x8xf32>, %z: memref<8xf32>, %y: memref<8xf32>):
  driver.call @sum(%x, %z) to (%y) : (memref<64x8xf32>, memref<8xf32>) to (memref<8xf32>) loc("node")
}

// CHECK: driver.call @sum(%x, %z, %x) to (%y) {{.*}} loc("node")
