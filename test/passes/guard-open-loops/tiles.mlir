// RUN: autodeploy-opt %s --guard-open-loops | filecheck %s

// A tile that divides the coefficient is always full. Another one has a condition, as do groups of tiles. Loops over
// constant extents stay, a factor of a loop becomes a split, and what is kept whole has memory for the largest extent.

halide.pipeline @f(%x: !halide.buffer<f32, [16, 48]>) to (%y: !halide.buffer<f32, [16, 48]>) open [[0, 6], [0, 6]] {
  %k = halide.func "kept"(x %c, y %r) in [16, 48] : f32 {
    %v = halide.load %x[%c, %r] : !halide.buffer<f32, [16, 48]> to f32
    halide.yield %v : f32
  }
  %f = halide.func "out"(x %c, y %r) : f32 {
    %v = halide.load %k[%c, %r] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [16, 48]>
  halide.schedule {
    halide.compute_root %k : !halide.func<f32, 2>
    halide.vectorize %k "x" by 8 : !halide.func<f32, 2>
    halide.unroll %k "y" by 4 : !halide.func<f32, 2>
    halide.split %f "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
    halide.split %f "y" to "yo", "yi" by 3 : !halide.func<f32, 2>
    halide.split %f "yo" to "yg", "yo" by 4 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
  }
}

// CHECK:      halide.vectorize %k "x" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %k "y" to "y", "y_tile" by 4 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.unroll %k "y_tile" :
// CHECK-NEXT: halide.split %f "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>}
// CHECK-NEXT: halide.split %f "y" to "yo", "yi" by 3 {tail = #halide<tail round_up>}
// CHECK-NEXT: halide.split %f "yo" to "yg", "yo" by 4 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.bound_storage %k "y" extent 48
