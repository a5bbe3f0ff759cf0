// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s
// RUN: autodeploy-opt --print-op-generic %s | autodeploy-opt | filecheck %s

// Loops over blocks and over threads of a block, of each stage of a func. A func of one element has one thread.

halide.pipeline @p(%x: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8, 64]>) on_device {
  %most = halide.func "most"() : f32 {
    %low = halide.const 0.0 : f32
    halide.yield %low : f32
  }
  halide.update %most() over (k %k in 0 to 8) : !halide.func<f32, 0> {
    %old = halide.load %most[] : !halide.func<f32, 0> to f32
    %v = halide.load %x[%k, %k] : !halide.buffer<f32, [8, 64]> to f32
    %new = halide.max %old, %v : f32
    halide.yield %new : f32
  }
  %f = halide.func "f"(c %c, x %i) : f32 {
    %v = halide.load %x[%c, %i] : !halide.buffer<f32, [8, 64]> to f32
    %m = halide.load %most[] : !halide.func<f32, 0> to f32
    %d = halide.sub %v, %m : f32
    halide.yield %d : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 64]>
  halide.schedule {
    halide.split %f "x" to "xb", "xt" by 16 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
    halide.gpu_blocks %f ["xb"] : !halide.func<f32, 2>
    halide.gpu_threads %f ["c", "xt"] : !halide.func<f32, 2>
    halide.compute_root %most : !halide.func<f32, 0>
    halide.gpu_single_thread %most : !halide.func<f32, 0>
    halide.gpu_single_thread %most {stage = 1} : !halide.func<f32, 0>
  }
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.split %f "x" to "xb", "xt" by 16 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
// CHECK-NEXT:   halide.gpu_blocks %f ["xb"] : !halide.func<f32, 2>
// CHECK-NEXT:   halide.gpu_threads %f ["c", "xt"] : !halide.func<f32, 2>
// CHECK-NEXT:   halide.compute_root %most : !halide.func<f32, 0>
// CHECK-NEXT:   halide.gpu_single_thread %most : !halide.func<f32, 0>
// CHECK-NEXT:   halide.gpu_single_thread %most {stage = 1 : i64} : !halide.func<f32, 0>
// CHECK-NEXT: }
