// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What computes with memory of the device, and what does not.

driver.program @to_device inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %a = driver.buffer on_device : memref<4xf32>
  // expected-error@+1 {{a transfer, no copy, leads to the device or from it [copy_c4]}}
  driver.copy %x to %a : memref<4xf32> to memref<4xf32>
}

// -----

driver.program @from_a_part inputs [] outputs ["y"] {
^bb0(%y: memref<2xf32>):
  %a = driver.buffer on_device : memref<4xf32>
  %v = driver.view %a : memref<4xf32> to memref<2xf32>
  // expected-error@+1 {{a transfer, no copy, leads to the device or from it [copy_c4]}}
  driver.copy %v to %y : memref<2xf32> to memref<2xf32>
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
driver.program @kernel_on_device inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %a = driver.buffer on_device : memref<4xf32>
  // expected-error@+1 {{'k' runs on the device, and so its operands are there [call_c8]}}
  driver.call @k(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
driver.program @kernel_on_processor inputs ["x"] outputs [] {
^bb0(%x: memref<4xf32>):
  %a = driver.buffer on_device : memref<4xf32>
  // expected-error@+1 {{'k' runs on the processor, and so its operands are there [call_c8]}}
  driver.call @k(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

driver.program @rows inputs ["x"] outputs [] {
^bb0(%x: memref<2x4xf32>):
  %a = driver.buffer on_device : memref<6x4xf32>
  // expected-error@+1 {{rows are joined by the processor [join_c6]}}
  driver.join %x to %a from 0 on 0 : memref<2x4xf32> to memref<6x4xf32>
}

// -----

driver.program @library inputs [] outputs ["y"] {
^bb0(%y: memref<4xi64>):
  %a = driver.buffer on_device : memref<4xi64>
  // expected-error@+1 {{functions of the library run on the processor [library_call_c2]}}
  driver.library_call "order"(%a) to (%y) {parameters = array<i64>} : (memref<4xi64>) to (memref<4xi64>)
}

// -----

driver.program @in_output inputs [] outputs ["y"] {
^bb0(%y: memref<32xf32>):
  // expected-error@+1 {{a buffer on the device is a block of its arena [buffer_c3]}}
  %a = driver.buffer on_device {offset = 0 : i64, output = 0 : i64} : memref<16xf32>
}

// -----

// expected-error@+1 {{device_arena is not negative, found -1 bytes [program_c3]}}
driver.program @negative inputs ["x"] outputs [] device_arena -1 {
^bb0(%x: memref<4xf32>):
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
driver.program @kernel_in_loop inputs [] outputs [] {
  %a = driver.buffer on_device : memref<4xf32>
  %b = driver.buffer on_device : memref<4xf32>
  // expected-error@+1 {{a loop of the processor uses memory of the device [for_c9]}}
  driver.for steps 3 {
    driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
  }
}

// -----

driver.program @exchange inputs [] outputs [] {
  %a = driver.buffer on_device : memref<4xf32>
  %b = driver.buffer on_device : memref<4xf32>
  // expected-error@+1 {{a loop of the processor uses memory of the device [for_c9]}}
  driver.for steps 2 exchange %a with %b : memref<4xf32> with memref<4xf32> {
  }
}

// -----

driver.program @copy_in_choice inputs ["c"] outputs [] {
^bb0(%c: memref<i1>):
  %a = driver.buffer on_device : memref<4xf32>
  %b = driver.buffer on_device : memref<4xf32>
  // expected-error@+1 {{a choice of the processor uses memory of the device [if_c2]}}
  driver.if %c : memref<i1> {
  } else {
    driver.copy %a to %b : memref<4xf32> to memref<4xf32>
  }
}
