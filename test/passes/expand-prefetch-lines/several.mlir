// RUN: autodeploy-opt %s --expand-prefetch-lines | filecheck %s

// Several buffers that one update fetches have one condition, and are read together.

halide.pipeline @sum(%x: !halide.buffer<f32, [4, 64]>, %z: !halide.buffer<f32, [4, 64]>) to (%y: !halide.buffer<f32, []>) {
  %f = halide.func "f"() : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f() over (k %k in 0 to 64) : !halide.func<f32, 0> {
    %old = halide.load %f[] : !halide.func<f32, 0> to f32
    %i = halide.const 0 : i32
    %v = halide.load %x[%i, %k] : !halide.buffer<f32, [4, 64]> to f32
    %w = halide.load %z[%i, %k] : !halide.buffer<f32, [4, 64]> to f32
    %s = halide.add %v, %w : f32
    %new = halide.add %old, %s : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 0> in !halide.buffer<f32, []>
  halide.schedule {
    halide.prefetch_line %f "k" of %z at affine_map<(k) -> (0, k + 16)> {stage = 1} : !halide.func<f32, 0> of !halide.buffer<f32, [4, 64]>
    halide.prefetch_line %f "k" of %x at affine_map<(k) -> (0, k + 32)> {stage = 1} : !halide.func<f32, 0> of !halide.buffer<f32, [4, 64]>
  }
}

// CHECK:      halide.pipeline @sum(%x: !halide.buffer<f32, [4, 64]>, %z: !halide.buffer<f32, [4, 64]>, %z_ahead: !halide.buffer<f32, [4, 64]>, %x_ahead: !halide.buffer<f32, [4, 64]>)
// CHECK:        %v = halide.load %x[%i, %k]
// CHECK-NEXT:   {{%.*}} = halide.stride %z_ahead 1
// CHECK-NOT:    halide.stride
// CHECK:        [[WITHIN:%.*]] = halide.lt %k, {{%.*}} : i32
// CHECK:        [[Z:%.*]] = halide.load %z_ahead
// CHECK:        [[X:%.*]] = halide.load %x_ahead
// CHECK-NEXT:   [[NEAR:%.*]] = halide.likely %v : f32
// CHECK-NEXT:   [[FAR:%.*]] = halide.add [[Z]], [[X]] : f32
// CHECK-NEXT:   [[READ:%.*]] = halide.select [[WITHIN]], [[NEAR]], [[FAR]] : f32
// CHECK-NEXT:   %w = halide.load %z[%i, %k]
// CHECK-NEXT:   %s = halide.add [[READ]], %w : f32
// CHECK:        halide.partition %f "k" always {stage = 1 : i64} : !halide.func<f32, 0>
// CHECK-NEXT:   halide.prefetch %f "k" of %z_ahead ahead by 0 of "k"
// CHECK-NEXT:   halide.prefetch %f "k" of %x_ahead ahead by 0 of "k"
// CHECK-NOT:    halide.partition
