// RUN: autodeploy-opt %s --guard-open-loops | filecheck %s

// Each run has at least 3 * 4 = 12 elements along x, which is a vector of 8 and three tiles of 4. So their last one moves
// inwards. Tiles of 16 have a condition, and so do those that threads share, as they must not compute the same.

builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 12>} {
  halide.pipeline @f(%x: !halide.buffer<f32, [48, 48]>) to (%y: !halide.buffer<f32, [48, 48]>) open [[4, 4], [4, 4]] {
    %f = halide.func "out"(x %c, y %r) in [48, 48] : f32 {
      %v = halide.load %x[%c, %r] : !halide.buffer<f32, [48, 48]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [48, 48]>
    halide.schedule {
      halide.split %f "x" to "xo", "xi" by 8 : !halide.func<f32, 2>
      halide.split %f "xo" to "xp", "xq" by 2 : !halide.func<f32, 2>
      halide.split %f "y" to "yo", "yi" by 6 {tail = #halide<tail round_up>} : !halide.func<f32, 2>
      halide.parallel %f "yo" : !halide.func<f32, 2>
    }
  }
  halide.pipeline @g(%x: !halide.buffer<f32, [48]>) to (%y: !halide.buffer<f32, [48]>) open [[4], [4]] {
    %f = halide.func "out"(x %c) in [48] : f32 {
      %v = halide.load %x[%c] : !halide.buffer<f32, [48]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [48]>
    halide.schedule {
      halide.vectorize %f "x" by 16 : !halide.func<f32, 1>
    }
  }
}

// CHECK:      halide.pipeline @f
// CHECK:      halide.split %f "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>}
// CHECK-NEXT: halide.split %f "xo" to "xp", "xq" by 2 {tail = #halide<tail shift_inwards>}
// CHECK-NEXT: halide.split %f "y" to "yo", "yi" by 6 {tail = #halide<tail guard_with_if>}
// CHECK:      halide.pipeline @g
// CHECK:      halide.split %f "x" to "x", "x_tile" by 16 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.vectorize %f "x_tile"
