// RUN: autodeploy-opt %s --expand-prefetch-lines | filecheck %s

// The buffer becomes an input a second time, of the pipeline and of each call. The update reads it
// where the variable of the reduction is beyond its end. A pipeline that fetches nothing is left.

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

halide.pipeline @copy(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %v = halide.load %x[%c] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

driver.program @main inputs ["x", "z"] outputs ["y"] {
^bb0(%x: memref<64x8xf32>, %z: memref<8xf32>, %y: memref<8xf32>):
  %a = driver.buffer : memref<8xf32>
  driver.call @copy(%z) to (%a) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @sum(%x, %a) to (%y) {nodes = ["sum"]} : (memref<64x8xf32>, memref<8xf32>) to (memref<8xf32>)
}

// CHECK:      halide.pipeline @sum(%x: !halide.buffer<f32, [8, 64]>, %z: !halide.buffer<f32, [8]>, %x_ahead: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>)
// CHECK:        %v_1 = halide.load %x[%c_1, %k]
// CHECK-NEXT:   [[STRIDE:%.*]] = halide.stride %x_ahead 1 : !halide.buffer<f32, [8, 64]>
// CHECK-NEXT:   [[END:%.*]] = halide.const 56 : i32
// CHECK-NEXT:   [[LIMIT:%.*]] = halide.add [[STRIDE]], [[END]] : i32
// CHECK-NEXT:   [[WITHIN:%.*]] = halide.lt %k, [[LIMIT]] : i32
// CHECK-NEXT:   [[ZERO:%.*]] = halide.const 0 : i32
// CHECK-NEXT:   [[FOUR:%.*]] = halide.const 4 : i32
// CHECK-NEXT:   [[BLOCK:%.*]] = halide.div %k, [[FOUR]] : i32
// CHECK:        [[ROW:%.*]] = halide.mod {{%.*}}, {{%.*}} : i32
// CHECK-NEXT:   [[AT:%.*]] = halide.add {{%.*}}, [[ROW]] : i32
// CHECK-NEXT:   [[AHEAD:%.*]] = halide.load %x_ahead{{\[}}[[ZERO]], [[AT]]]
// CHECK-NEXT:   [[NEAR:%.*]] = halide.likely %v_1 : f32
// CHECK-NEXT:   [[READ:%.*]] = halide.select [[WITHIN]], [[NEAR]], [[AHEAD]] : f32
// CHECK-NEXT:   %twice = halide.add [[READ]], [[READ]] : f32
// CHECK:        halide.split %f "ka" to "kb", "ka" by 2
// CHECK-NEXT:   halide.partition %f "kb" always {stage = 1 : i64} : !halide.func<f32, 1>
// CHECK-NEXT:   halide.prefetch %f "kb" of %x_ahead ahead by 0 of "kb" {stage = 1 : i64}
// CHECK-NEXT:   halide.unroll %f "kt"
// CHECK:      halide.pipeline @copy(%x: !halide.buffer<f32, [8]>) to
// CHECK:        driver.call @copy(%z) to (%a)
// CHECK-NEXT:   driver.call @sum(%x, %a, %x) to (%y) {nodes = ["sum"]}
