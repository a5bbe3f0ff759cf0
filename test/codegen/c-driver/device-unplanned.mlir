// RUN: autodeploy-opt %s -t c-driver --split-input-file --verify-diagnostics

// Programs with a device whose memory is not planned, or not well, and whose kernels are not compiled.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device launches [#halide.launch<"k", grid = [1, 1, 1], block = [4, 1, 1], shared = 0, args = [0, 1]>] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
// expected-error@below {{driver.buffer has no offset; plan the memory first}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 0 device_arena 1024 {
^bb0(%y: memref<8xf32>):
  %a = driver.buffer on_device : memref<4xf32>
  %b = driver.buffer on_device {offset = 512 : i64} : memref<4xf32>
  driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
// expected-error@below {{kernel 'k' is not compiled}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 0 device_arena 1024 {
^bb0(%y: memref<8xf32>):
  %a = driver.buffer on_device {offset = 0 : i64} : memref<4xf32>
  %b = driver.buffer on_device {offset = 512 : i64} : memref<4xf32>
  driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

// expected-error@below {{a driver.copy on the device; form-copies makes kernels of such}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 0 device_arena 1024 {
^bb0(%y: memref<8xf32>):
  %a = driver.buffer on_device {offset = 0 : i64} : memref<4xf32>
  %b = driver.buffer on_device {offset = 512 : i64} : memref<4xf32>
  driver.copy %a to %b : memref<4xf32> to memref<4xf32>
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device launches [#halide.launch<"k", grid = [1, 1, 1], block = [4, 1, 1], shared = 0, args = [0, 1]>] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
// expected-error@below {{a block ends at byte 528 of a device's arena of 512 bytes}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 0 device_arena 512 {
^bb0(%y: memref<8xf32>):
  %a = driver.buffer on_device {offset = 0 : i64} : memref<4xf32>
  %b = driver.buffer on_device {offset = 512 : i64} : memref<4xf32>
  driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device launches [#halide.launch<"k", grid = [1, 1, 1], block = [4, 1, 1], shared = 0, args = [0, 1]>] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
// expected-error@below {{a block of the device is at byte 64 of its arena}}
driver.program @p inputs [] outputs ["y"] arena 0 weights 0 device_arena 1024 {
^bb0(%y: memref<8xf32>):
  %a = driver.buffer on_device {offset = 0 : i64} : memref<4xf32>
  %b = driver.buffer on_device {offset = 64 : i64} : memref<4xf32>
  driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
}
