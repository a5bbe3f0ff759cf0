// RUN: autodeploy-opt %s --guard-open-loops | filecheck %s

// Each run has at least 12 elements along x and y. A last tile that blocks or threads of a device share does not move
// inwards, since two of them would write the same elements; one that a thread has for itself does.

builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 12 to 48>} {
  halide.pipeline @f(%x: !halide.buffer<f32, [48, 48]>) to (%y: !halide.buffer<f32, [48, 48]>) open [[1, 1], [1, 1]] on_device {
    %f = halide.func "out"(x %c, y %r) in [48, 48] : f32 {
      %v = halide.load %x[%c, %r] : !halide.buffer<f32, [48, 48]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [48, 48]>
    halide.schedule {
      halide.split %f "x" to "xo", "xi" by 4 {tail = #halide<tail round_up>} : !halide.func<f32, 2>
      halide.split %f "xo" to "xb", "xt" by 2 {tail = #halide<tail round_up>} : !halide.func<f32, 2>
      halide.split %f "y" to "yo", "yi" by 4 : !halide.func<f32, 2>
      halide.reorder %f ["yi", "yo", "xi", "xt", "xb"] : !halide.func<f32, 2>
      halide.gpu_blocks %f ["xb"] : !halide.func<f32, 2>
      halide.gpu_threads %f ["xt"] : !halide.func<f32, 2>
    }
  }
}

// CHECK:      halide.split %f "x" to "xo", "xi" by 4 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.split %f "xo" to "xb", "xt" by 2 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.split %f "y" to "yo", "yi" by 4 {tail = #halide<tail shift_inwards>}
