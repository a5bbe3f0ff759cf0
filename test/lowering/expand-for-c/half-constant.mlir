// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// A constant of 16 bits is a number where it is computed with, and bits where it is stored.

halide.pipeline @k(%x: !halide.buffer<f16, [8]>, %y: !halide.buffer<f16, [8]>) to (%o: !halide.buffer<f16, [8]>) {
  %f = halide.func "f"(i %i) : f16 {
    %a = halide.load %x[%i] : !halide.buffer<f16, [8]> to f16
    %b = halide.load %y[%i] : !halide.buffer<f16, [8]> to f16
    %c = halide.const 0.1 : f16
    %l = halide.lt %a, %c : f16
    %r = halide.select %l, %b, %c : f16
    halide.yield %r : f16
  }
  halide.output %f in %o : !halide.func<f16, 1> in !halide.buffer<f16, [8]>
}

// CHECK:      halide.pipeline @k(%x: !halide.buffer<ui16, [8]>, %y: !halide.buffer<ui16, [8]>) to (%o: !halide.buffer<ui16, [8]>)
// CHECK:      [[c:%.*]] = halide.const 11878 : ui16
// CHECK-NEXT: [[v0:%.*]] = halide.cast %a : ui16 to ui32
// CHECK-NEXT: [[v1:%.*]] = halide.const 32768 : ui32
// CHECK-NEXT: [[v2:%.*]] = halide.mod [[v0]], [[v1]] : ui32
// CHECK-NEXT: [[v3:%.*]] = halide.cast [[v2]] : ui32 to f32
// CHECK-NEXT: [[v4:%.*]] = halide.const 5.960464477539063e-08 : f32
// CHECK-NEXT: [[v5:%.*]] = halide.mul [[v3]], [[v4]] : f32
// CHECK-NEXT: [[v6:%.*]] = halide.reinterpret [[v5]] : f32 to ui32
// CHECK-NEXT: [[v7:%.*]] = halide.const 8192 : ui32
// CHECK-NEXT: [[v8:%.*]] = halide.mul [[v2]], [[v7]] : ui32
// CHECK-NEXT: [[v9:%.*]] = halide.const 939524096 : ui32
// CHECK-NEXT: [[v10:%.*]] = halide.add [[v8]], [[v9]] : ui32
// CHECK-NEXT: [[v11:%.*]] = halide.const 8192 : ui32
// CHECK-NEXT: [[v12:%.*]] = halide.mul [[v2]], [[v11]] : ui32
// CHECK-NEXT: [[v13:%.*]] = halide.const 1879048192 : ui32
// CHECK-NEXT: [[v14:%.*]] = halide.add [[v12]], [[v13]] : ui32
// CHECK-NEXT: [[v15:%.*]] = halide.const 31744 : ui32
// CHECK-NEXT: [[v16:%.*]] = halide.lt [[v2]], [[v15]] : ui32
// CHECK-NEXT: [[v17:%.*]] = halide.select [[v16]], [[v10]], [[v14]] : ui32
// CHECK-NEXT: [[v18:%.*]] = halide.const 1024 : ui32
// CHECK-NEXT: [[v19:%.*]] = halide.lt [[v2]], [[v18]] : ui32
// CHECK-NEXT: [[v20:%.*]] = halide.select [[v19]], [[v6]], [[v17]] : ui32
// CHECK-NEXT: [[v21:%.*]] = halide.sub [[v0]], [[v2]] : ui32
// CHECK-NEXT: [[v22:%.*]] = halide.const 65536 : ui32
// CHECK-NEXT: [[v23:%.*]] = halide.mul [[v21]], [[v22]] : ui32
// CHECK-NEXT: [[v24:%.*]] = halide.add [[v20]], [[v23]] : ui32
// CHECK-NEXT: [[v25:%.*]] = halide.reinterpret [[v24]] : ui32 to f32
// CHECK-NEXT: [[v26:%.*]] = halide.const 0.0999755859375 : f32
// CHECK-NEXT: [[l:%.*]] = halide.lt [[v25]], [[v26]] : f32
// CHECK-NEXT: [[r:%.*]] = halide.select [[l]], %b, [[c]] : ui16
// CHECK-NEXT: halide.yield [[r]] : ui16
