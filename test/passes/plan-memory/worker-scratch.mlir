// RUN: autodeploy-opt --plan-memory %s --split-input-file | filecheck %s

// Each further thread has what the kernel with the largest loop bodies takes, of those that are called. So it is with the stack.

halide.pipeline @some(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) worker_scratch 100 stack 64 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
halide.pipeline @more(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) scratch 32 worker_scratch 300 stack 16 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
halide.pipeline @serial(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
halide.pipeline @uncalled(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) worker_scratch 900 stack 900 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] threads 4 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.buffer : memref<4xf32>
  driver.call @some(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
  %b = driver.buffer : memref<4xf32>
  driver.call @serial(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
  driver.call @more(%b) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// CHECK: driver.program @net inputs ["x"] outputs ["y"] arena 128 threads 4 worker_scratch 300 stack 64 {

// -----

// A loop may be parallel and its body need nothing.

halide.pipeline @none(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) worker_scratch 0 {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
driver.program @net inputs ["x"] outputs ["y"] threads 4 {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  driver.call @none(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// CHECK: arena 0 threads 4 worker_scratch 0 {
