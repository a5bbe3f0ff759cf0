// RUN: autodeploy-opt %s --elide-copies | filecheck %s

// A call writes a state where it is kept, if no op reads what the run has found there at the same time or later, and
// the call is in no region.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}
driver.program @net inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>):
  %a, %an = driver.state "a" from "an" : memref<8xf32>
  %b, %bn = driver.state "b" from "bn" : memref<8xf32>
  %c, %cn = driver.state "c" from "cn" : memref<8xf32>
  %d, %dn = driver.state "d" from "dn" : memref<8xf32>
  %p = driver.buffer : memref<8xf32>
  %q = driver.buffer : memref<8xf32>
  %r = driver.buffer : memref<8xf32>
  %s = driver.buffer : memref<8xf32>
  driver.call @k(%a) to (%y) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @k(%x) to (%p) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @k(%x) to (%q) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @k(%b) to (%z) : (memref<8xf32>) to (memref<8xf32>)
  driver.call @k(%c) to (%r) : (memref<8xf32>) to (memref<8xf32>)
  driver.for steps 2 {
    driver.call @k(%x) to (%s) : (memref<8xf32>) to (memref<8xf32>)
  }
  driver.copy %p to %an : memref<8xf32> to memref<8xf32>
  driver.copy %q to %bn : memref<8xf32> to memref<8xf32>
  driver.copy %r to %cn : memref<8xf32> to memref<8xf32>
  driver.copy %s to %dn : memref<8xf32> to memref<8xf32>
}

// CHECK:      %q = driver.buffer : memref<8xf32>
// CHECK:      driver.call @k(%a) to (%y)
// CHECK-NEXT: driver.call @k(%x) to (%p)
// CHECK-NEXT: driver.call @k(%x) to (%q)
// CHECK-NEXT: driver.call @k(%b) to (%z)
// CHECK-NEXT: driver.call @k(%c) to (%r)
// CHECK:      driver.call @k(%x) to (%s)
// CHECK-NOT:  driver.copy %p
// CHECK:      driver.copy %q to %bn
// CHECK-NEXT: driver.copy %r to %cn
// CHECK-NEXT: driver.copy %s to %dn
