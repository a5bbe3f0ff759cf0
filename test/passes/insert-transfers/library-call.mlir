// RUN: autodeploy-opt %s --insert-transfers | filecheck %s

// Functions of the library run on the processor.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @there(%x: !halide.buffer<i64, [4]>) to (%y: !halide.buffer<i64, [4]>) config<device_plain, threads = [64]> {
    %f = halide.func "f"(i %i) : i64 {
      %v = halide.load %x[%i] : !halide.buffer<i64, [4]> to i64
      halide.yield %v : i64
    }
    halide.output %f in %y : !halide.func<i64, 1> in !halide.buffer<i64, [4]>
  }
  driver.program @net inputs ["x"] outputs ["y"] {
  ^bb0(%x: memref<4xi64>, %y: memref<4xi64>):
    %a = driver.buffer : memref<4xi64>
    %b = driver.buffer : memref<4xi64>
    driver.call @there(%x) to (%a) : (memref<4xi64>) to (memref<4xi64>)
    driver.library_call "order"(%a) to (%b) {parameters = array<i64>} : (memref<4xi64>) to (memref<4xi64>)
    driver.call @there(%b) to (%y) : (memref<4xi64>) to (memref<4xi64>)
  }
}

// CHECK:      halide.pipeline @there(%x: !halide.buffer<i64, [4]>) to (%y: !halide.buffer<i64, [4]>) config<device_plain, threads = [64]> on_device {
// CHECK:      driver.program @net inputs ["x"] outputs ["y"] {
// CHECK-NEXT: ^bb0(%x: memref<4xi64>, %y: memref<4xi64>):
// CHECK-NEXT:   %y_1 = driver.buffer on_device : memref<4xi64>
// CHECK-NEXT:   %x_1 = driver.buffer on_device : memref<4xi64>
// CHECK-NEXT:   %a = driver.buffer : memref<4xi64>
// CHECK-NEXT:   %a_1 = driver.buffer on_device : memref<4xi64>
// CHECK-NEXT:   %b = driver.buffer : memref<4xi64>
// CHECK-NEXT:   %b_1 = driver.buffer on_device : memref<4xi64>
// CHECK-NEXT:   driver.transfer %x to %x_1 : memref<4xi64> to memref<4xi64>
// CHECK-NEXT:   driver.call @there(%x_1) to (%a_1) : (memref<4xi64>) to (memref<4xi64>)
// CHECK-NEXT:   driver.transfer %a_1 to %a : memref<4xi64> to memref<4xi64>
// CHECK-NEXT:   driver.library_call "order"(%a) to (%b) {parameters = array<i64>} : (memref<4xi64>) to (memref<4xi64>)
// CHECK-NEXT:   driver.transfer %b to %b_1 : memref<4xi64> to memref<4xi64>
// CHECK-NEXT:   driver.call @there(%b_1) to (%y_1) : (memref<4xi64>) to (memref<4xi64>)
// CHECK-NEXT:   driver.transfer %y_1 to %y : memref<4xi64> to memref<4xi64>
