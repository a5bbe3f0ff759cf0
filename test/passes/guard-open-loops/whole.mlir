// RUN: autodeploy-opt %s --guard-open-loops | filecheck %s

// Of what a loop over bands of rows keeps, all columns are there, and rows of windows. So memory for the columns is that
// of the largest number; the rows are a constant. What a tile of pixels keeps is constant altogether.

halide.pipeline @f(%x: !halide.buffer<f32, [24, 9]>) to (%y: !halide.buffer<f32, [24, 9]>) open [[2, 0], [2, 0]] {
  %p = halide.func "padded"(x %c, y %r) in [26, 9] : f32 {
    %n = halide.extent %x 0 : !halide.buffer<f32, [24, 9]>
    %one = halide.const 1 : i32
    %last = halide.sub %n, %one : i32
    %at = halide.min %c, %last : i32
    %v = halide.load %x[%at, %r] : !halide.buffer<f32, [24, 9]> to f32
    halide.yield %v : f32
  }
  %s = halide.func "sum"(x %c, y %r) in [24, 9] : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.update %s(x %c, y %r) over (k %k in 0 to 3) : !halide.func<f32, 2> {
    %o = halide.load %s[%c, %r] : !halide.func<f32, 2> to f32
    %m = halide.add %c, %k : i32
    %v = halide.load %p[%m, %r] : !halide.func<f32, 2> to f32
    %t = halide.add %o, %v : f32
    halide.yield %t : f32
  }
  %f = halide.func "out"(x %c, y %r) : f32 {
    %v = halide.load %s[%c, %r] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [24, 9]>
  halide.schedule {
    halide.split %f "x" to "xo", "xt" by 2 : !halide.func<f32, 2>
    halide.split %f "y" to "yo", "yt" by 3 : !halide.func<f32, 2>
    halide.reorder %f ["xt", "xo", "yt", "yo"] : !halide.func<f32, 2>
    halide.compute_at %p at %f "yo" : !halide.func<f32, 2> at !halide.func<f32, 2>
    halide.vectorize %p "x" by 2 : !halide.func<f32, 2>
    halide.compute_at %s at %f "xo" : !halide.func<f32, 2> at !halide.func<f32, 2>
  }
}

// CHECK:      halide.split %f "x" to "xo", "xt" by 2 {tail = #halide<tail round_up>}
// CHECK:      halide.split %p "x" to "x", "x_tile" by 2 {tail = #halide<tail guard_with_if>}
// CHECK:      halide.compute_at %s at %f "xo"
// CHECK-NEXT: halide.bound_storage %p "x" extent 26
// CHECK-NEXT: }
