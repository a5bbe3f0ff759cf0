// RUN: autodeploy-opt %s --guard-open-loops | filecheck %s

// A template that bounds the memory of a dimension knows what its last tile needs: the tile is filled up, and the memory is
// not that of the largest number.

halide.pipeline @f(%x: !halide.buffer<f32, [48, 9]>) to (%y: !halide.buffer<f32, [48, 9]>) open [[1, 0], [1, 0]] {
  %k = halide.func "kept"(x %c, y %r) in [48, 9] : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  %f = halide.func "out"(x %c, y %r) : f32 {
    %v = halide.load %k[%c, %r] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [48, 9]>
  halide.schedule {
    halide.compute_at %k at %f "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
    halide.bound_storage %k "x" extent 50 : !halide.func<f32, 2>
    halide.split %k "x" to "xo", "xi" by 5 {tail = #halide<tail round_up>} : !halide.func<f32, 2>
  }
}

// CHECK:     halide.bound_storage %k "x" extent 50
// CHECK:     halide.split %k "x" to "xo", "xi" by 5 {tail = #halide<tail round_up>}
// CHECK-NOT: bound_storage
