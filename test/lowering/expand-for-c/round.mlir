// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// A number is rounded by adding 2^23 to its size and taking it off, if its bits are below
// those of 2^23; its sign comes back.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>, %y: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [8]> to f32
    %r = halide.round %a : f32
    halide.yield %r : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK:      [[v0:%.*]] = halide.reinterpret %a : f32 to ui32
// CHECK-NEXT: [[v1:%.*]] = halide.const 2147483648 : ui32
// CHECK-NEXT: [[v2:%.*]] = halide.mod [[v0]], [[v1]] : ui32
// CHECK-NEXT: [[v3:%.*]] = halide.const 8388608.0 : f32
// CHECK-NEXT: [[v4:%.*]] = halide.reinterpret [[v2]] : ui32 to f32
// CHECK-NEXT: [[v5:%.*]] = halide.add [[v4]], [[v3]] : f32
// CHECK-NEXT: [[v6:%.*]] = halide.sub [[v5]], [[v3]] : f32
// CHECK-NEXT: [[v7:%.*]] = halide.strict [[v6]] : f32
// CHECK-NEXT: [[v8:%.*]] = halide.reinterpret [[v7]] : f32 to ui32
// CHECK-NEXT: [[v9:%.*]] = halide.const 1258291200 : ui32
// CHECK-NEXT: [[v10:%.*]] = halide.lt [[v2]], [[v9]] : ui32
// CHECK-NEXT: [[v11:%.*]] = halide.sub [[v0]], [[v2]] : ui32
// CHECK-NEXT: [[v12:%.*]] = halide.add [[v8]], [[v11]] : ui32
// CHECK-NEXT: [[v13:%.*]] = halide.reinterpret [[v12]] : ui32 to f32
// CHECK-NEXT: [[r:%.*]] = halide.select [[v10]], [[v13]], %a : f32
// CHECK-NEXT: halide.yield [[r]] : f32
