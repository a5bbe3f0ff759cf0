// RUN: autodeploy-opt -t c-driver %s | filecheck %s

// If the device alone reads weights, a context frees its copy of the file.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64", device = "opencl">} {
  halide.pipeline @scaled(%x: !halide.buffer<f32, [4]>, %w: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device launches [#halide.launch<"net_scaled", grid = [1, 1, 1], block = [4, 1, 1], shared = 0, args = [0, 1, 2]>] {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      %k = halide.load %w[%i] : !halide.buffer<f32, [4]> to f32
      %p = halide.mul %v, %k : f32
      halide.yield %p : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }
  driver.program @net inputs ["x"] outputs ["y"] arena 0 weights 64 device_arena 1024 {
  ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
    %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> on_device {offset = 0 : i64} : memref<4xf32>
    %a = driver.buffer on_device {offset = 0 : i64} : memref<4xf32>
    %b = driver.buffer on_device {offset = 512 : i64} : memref<4xf32>
    driver.transfer %x to %a : memref<4xf32> to memref<4xf32>
    driver.call @scaled(%a, %w) to (%b) : (memref<4xf32>, memref<4xf32>) to (memref<4xf32>)
    driver.transfer %b to %y : memref<4xf32> to memref<4xf32>
  }
}

// CHECK:      status = open_device(made, options, weights);
// CHECK:      if (made->device != NULL) {
// CHECK-NEXT:     free(made->owned_weights); /* it has a copy of all */
// CHECK-NEXT:     made->owned_weights = NULL;
// CHECK-NEXT: }
// CHECK-NEXT: *context = made;
