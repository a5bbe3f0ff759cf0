// RUN: autodeploy-opt %s --guard-open-loops | filecheck %s

// What a reduction walks up to the number of a call has that many elements wherever it is computed: its last vector is
// guarded, and its memory is that of the largest number. Lanes are constant.

halide.pipeline @f(%x: !halide.buffer<f32, [48, 4]>) to (%y: !halide.buffer<f32, [4]>) open [[1, 0], [0]] {
  %n = halide.extent %x 0 : !halide.buffer<f32, [48, 4]>
  %w = halide.const 8 : i32
  %blocks = halide.div %n, %w : i32
  %k = halide.func "kept"(x %c, y %r) in [48, 4] : f32 {
    %v = halide.load %x[%c, %r] : !halide.buffer<f32, [48, 4]> to f32
    halide.yield %v : f32
  }
  %l = halide.func "lanes"(lane %c, y %r) in [8, 4] : f32 {
    %v = halide.const 0.0 : f32
    halide.yield %v : f32
  }
  halide.update %l(lane %c, y %r) over (block %b in 0 to 6 until %blocks) : !halide.func<f32, 2> {
    %o = halide.load %l[%c, %r] : !halide.func<f32, 2> to f32
    %m = halide.mul %b, %w : i32
    %p = halide.add %m, %c : i32
    %v = halide.load %k[%p, %r] : !halide.func<f32, 2> to f32
    %s = halide.add %o, %v : f32
    halide.yield %s : f32
  }
  %f = halide.func "out"(y %r) : f32 {
    %c = halide.const 0 : i32
    %v = halide.load %l[%c, %r] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.schedule {
    halide.compute_at %k at %f "y" : !halide.func<f32, 2> at !halide.func<f32, 1>
    halide.vectorize %k "x" by 16 : !halide.func<f32, 2>
    halide.compute_at %l at %f "y" : !halide.func<f32, 2> at !halide.func<f32, 1>
    halide.vectorize %l "lane" : !halide.func<f32, 2>
    halide.vectorize %l "lane" {stage = 1 : i64} : !halide.func<f32, 2>
  }
}

// CHECK:      halide.compute_at %k at %f "y"
// CHECK-NEXT: halide.split %k "x" to "x", "x_tile" by 16 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.vectorize %k "x_tile" :
// CHECK-NEXT: halide.compute_at %l at %f "y"
// CHECK-NEXT: halide.vectorize %l "lane" :
// CHECK-NEXT: halide.vectorize %l "lane" {stage = 1 : i64}
// CHECK-NEXT: halide.bound_storage %k "x" extent 48
// CHECK-NEXT: }
