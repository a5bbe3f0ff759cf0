// RUN: autodeploy-opt --plan-memory=print-map=true %s 2>&1 >/dev/null | filecheck %s
// RUN: autodeploy-opt --plan-memory %s | autodeploy-opt --plan-memory=print-map=true 2>&1 >/dev/null | filecheck %s
// RUN: autodeploy-opt --plan-memory %s | filecheck %s --check-prefix IR
// RUN: autodeploy-opt --plan-memory=reuse=false %s | filecheck %s --check-prefix OWN
// RUN: autodeploy-opt --plan-memory=in-outputs=false %s | filecheck %s --check-prefix APART

// A buffer that is dead before an output is written may lie in this, from its first aligned byte on:
// %a, %b and %c of 512 bytes in the 1120 of %y. %d is read when %y is written.

// CHECK:          0    256 bytes        3..4  half
// CHECK-NEXT:     0    512 bytes        0..1  k, in output 0
// CHECK-NEXT:     0    512 bytes        2..3  k, in output 0
// CHECK-NEXT:   512    512 bytes        1..2  k, in output 0
// CHECK-NEXT: arena 256 bytes, largest live sum 256 bytes, 1024 bytes (1.0 KB) in outputs

// IR:       outputs ["y"] arena 256 {
// IR:       driver.buffer {offset = 0 : i64, output = 0 : i64}
// IR:       driver.buffer {offset = 512 : i64, output = 0 : i64}
// IR:       driver.buffer {offset = 0 : i64, output = 0 : i64}
// IR:       driver.buffer {offset = 0 : i64} : memref<64xf32>

// APART:    arena 1024
// APART-NOT: output =
// OWN:      arena 1792
// OWN-NOT:  output =

halide.pipeline @k(%x: !halide.buffer<f32, [128]>) to (%y: !halide.buffer<f32, [128]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [128]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [128]>
}

halide.pipeline @half(%x: !halide.buffer<f32, [128]>) to (%y: !halide.buffer<f32, [64]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [128]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [64]>
}

halide.pipeline @wide(%x: !halide.buffer<f32, [64]>) to (%y: !halide.buffer<f32, [280]>) {
  %f = halide.func "f"(i %i) : f32 {
    %zero = halide.const 0 : i32
    %v = halide.load %x[%zero] : !halide.buffer<f32, [64]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [280]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<128xf32>, %y: memref<280xf32>):
  %a = driver.buffer : memref<128xf32>
  driver.call @k(%x) to (%a) : (memref<128xf32>) to (memref<128xf32>)
  %b = driver.buffer : memref<128xf32>
  driver.call @k(%a) to (%b) : (memref<128xf32>) to (memref<128xf32>)
  %c = driver.buffer : memref<128xf32>
  driver.call @k(%b) to (%c) : (memref<128xf32>) to (memref<128xf32>)
  %d = driver.buffer : memref<64xf32>
  driver.call @half(%c) to (%d) : (memref<128xf32>) to (memref<64xf32>)
  driver.call @wide(%d) to (%y) : (memref<64xf32>) to (memref<280xf32>)
}

// So does what a call works in.

halide.pipeline @works(%x: !halide.buffer<f32, [128]>) to (%y: !halide.buffer<f32, [64]>) scratch 600 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [128]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [64]>
}

driver.program @scratch inputs ["x"] outputs ["y"] {
^bb0(%x: memref<128xf32>, %y: memref<280xf32>):
  %d = driver.buffer : memref<64xf32>
  driver.call @works(%x) to (%d) : (memref<128xf32>) to (memref<64xf32>)
  driver.call @wide(%d) to (%y) : (memref<64xf32>) to (memref<280xf32>)
}

// CHECK:          0    256 bytes        0..1  works
// CHECK-NEXT:     0    600 bytes        0..0  scratch of works, in output 0
// CHECK-NEXT: arena 256 bytes, largest live sum 256 bytes, 640 bytes in outputs

// IR:       outputs ["y"] arena 256 {
// IR:       driver.call @works(%x) to (%d) {scratch = 0 : i64, scratch_output = 0 : i64}
