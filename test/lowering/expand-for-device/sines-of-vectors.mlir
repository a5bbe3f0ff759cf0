// RUN: autodeploy-opt --expand-for-device %s | filecheck %s

// The sine of a small number in a vector is not left to the device, which may get it wrong beside a large number. A kernel
// without vectors is as it was.

halide.pipeline @vectors(%x: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %s = halide.sin %a : f32
    %c = halide.cos %s : f32
    halide.yield %c : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.split %f "i" to "ib", "it" by 4 : !halide.func<f32, 1>
    halide.vectorize %f "it" : !halide.func<f32, 1>
    halide.gpu_blocks %f ["ib"] : !halide.func<f32, 1>
  }
}

halide.pipeline @scalars(%x: !halide.buffer<f32, [8]>) to (%o: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %s = halide.sin %a : f32
    halide.yield %s : f32
  }
  halide.output %f in %o : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}

// CHECK-LABEL: halide.pipeline @vectors
// CHECK:       [[v0:%.*]] = halide.reinterpret %a : f32 to ui32
// CHECK:       [[v1:%.*]] = halide.const 1015021568 : ui32
// CHECK-NEXT:  [[v2:%.*]] = halide.lt {{%.*}}, [[v1]] : ui32
// CHECK:       [[v3:%.*]] = halide.sub {{%.*}}, {{%.*}} : f32
// CHECK-NEXT:  [[v4:%.*]] = halide.mul %a, [[v3]] : f32
// CHECK-NEXT:  [[v5:%.*]] = halide.sin %a : f32
// CHECK-NEXT:  %s = halide.select [[v2]], [[v4]], [[v5]] : f32
// CHECK:       [[v6:%.*]] = halide.cos %s : f32
// CHECK-NEXT:  %c = halide.select {{%.*}}, {{%.*}}, [[v6]] : f32
// CHECK-LABEL: halide.pipeline @scalars
// CHECK:       %a = halide.load
// CHECK-NEXT:  %s = halide.sin %a : f32
