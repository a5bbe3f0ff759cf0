// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// A bfloat16 is the upper half of a float32; 0x7fff and the last bit that stays round it.

halide.pipeline @k(%x: !halide.buffer<bf16, [8]>, %y: !halide.buffer<bf16, [8]>) to (%o: !halide.buffer<bf16, [8]>) {
  %f = halide.func "f"(i %i) : bf16 {
    %a = halide.load %x[%i] : !halide.buffer<bf16, [8]> to bf16
    %b = halide.load %y[%i] : !halide.buffer<bf16, [8]> to bf16
    %r = halide.add %a, %b : bf16
    halide.yield %r : bf16
  }
  halide.output %f in %o : !halide.func<bf16, 1> in !halide.buffer<bf16, [8]>
}

// CHECK:      halide.pipeline @k(%x: !halide.buffer<ui16, [8]>, %y: !halide.buffer<ui16, [8]>) to (%o: !halide.buffer<ui16, [8]>)
// CHECK:      [[v0:%.*]] = halide.cast %a : ui16 to ui32
// CHECK-NEXT: [[v1:%.*]] = halide.const 65536 : ui32
// CHECK-NEXT: [[v2:%.*]] = halide.mul [[v0]], [[v1]] : ui32
// CHECK-NEXT: [[v3:%.*]] = halide.reinterpret [[v2]] : ui32 to f32
// CHECK-NEXT: [[v4:%.*]] = halide.cast %b : ui16 to ui32
// CHECK-NEXT: [[v5:%.*]] = halide.const 65536 : ui32
// CHECK-NEXT: [[v6:%.*]] = halide.mul [[v4]], [[v5]] : ui32
// CHECK-NEXT: [[v7:%.*]] = halide.reinterpret [[v6]] : ui32 to f32
// CHECK-NEXT: [[v8:%.*]] = halide.add [[v3]], [[v7]] : f32
// CHECK-NEXT: [[v9:%.*]] = halide.reinterpret [[v8]] : f32 to ui32
// CHECK-NEXT: [[v10:%.*]] = halide.const 2147483648 : ui32
// CHECK-NEXT: [[v11:%.*]] = halide.mod [[v9]], [[v10]] : ui32
// CHECK-NEXT: [[v12:%.*]] = halide.sub [[v9]], [[v11]] : ui32
// CHECK-NEXT: [[v13:%.*]] = halide.const 65536 : ui32
// CHECK-NEXT: [[v14:%.*]] = halide.div [[v12]], [[v13]] : ui32
// CHECK-NEXT: [[v15:%.*]] = halide.const inf : f32
// CHECK-NEXT: [[v16:%.*]] = halide.reinterpret [[v15]] : f32 to ui32
// CHECK-NEXT: [[v17:%.*]] = halide.lt [[v16]], [[v11]] : ui32
// CHECK-NEXT: [[v18:%.*]] = halide.const 32767 : ui32
// CHECK-NEXT: [[v19:%.*]] = halide.add [[v11]], [[v18]] : ui32
// CHECK-NEXT: [[v20:%.*]] = halide.const 65536 : ui32
// CHECK-NEXT: [[v21:%.*]] = halide.div [[v11]], [[v20]] : ui32
// CHECK-NEXT: [[v22:%.*]] = halide.const 2 : ui32
// CHECK-NEXT: [[v23:%.*]] = halide.mod [[v21]], [[v22]] : ui32
// CHECK-NEXT: [[v24:%.*]] = halide.add [[v19]], [[v23]] : ui32
// CHECK-NEXT: [[v25:%.*]] = halide.const 65536 : ui32
// CHECK-NEXT: [[v26:%.*]] = halide.div [[v24]], [[v25]] : ui32
// CHECK-NEXT: [[v27:%.*]] = halide.const 32704 : ui32
// CHECK-NEXT: [[v28:%.*]] = halide.select [[v17]], [[v27]], [[v26]] : ui32
// CHECK-NEXT: [[v29:%.*]] = halide.add [[v28]], [[v14]] : ui32
// CHECK-NEXT: [[r:%.*]] = halide.cast [[v29]] : ui32 to ui16
// CHECK-NEXT: halide.yield [[r]] : ui16
