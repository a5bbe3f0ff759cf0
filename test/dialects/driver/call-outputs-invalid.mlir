// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// A call writes neither weights nor inputs, and no bytes that it reads or writes otherwise; an input
// is filled in place where the kernel reads each element only to compute that of the same place.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{input 'x' of the program is only read [memref_c6]}}
  driver.call @k(%y) to (%x) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %w = driver.weight #nn.dense<0.5 : tensor<4xf32>> : memref<4xf32>
  // expected-error@+1 {{a driver.weight is only read [memref_c5]}}
  driver.call @k(%x) to (%w) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.buffer : memref<2x2xf32>
  %u = driver.view %a : memref<2x2xf32> to memref<4xf32>
  %v = driver.view %a : memref<2x2xf32> to memref<4xf32>
  // expected-error@+1 {{an output is neither part of an input nor another output [call_c4]}}
  driver.call @k(%u) to (%v) : (memref<4xf32>) to (memref<4xf32>)
}

// -----

halide.pipeline @two(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>, %z: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  %g = halide.func "g"(i %i) : f32 {
    %v = halide.load %f[%i] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.output %g in %z : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  // expected-error@+1 {{an output is neither part of an input nor another output [call_c4]}}
  driver.call @two(%x) to (%y, %y) : (memref<4xf32>) to (memref<4xf32>, memref<4xf32>)
}

// -----

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

%a, %b = "test.op"() : () -> (memref<4xf32>, memref<4xf32>)
// expected-error@+1 {{expected driver.program or driver.for or driver.if around, found builtin.module [parent_c1]}}
driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)

// -----

halide.pipeline @turned(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %three = halide.const 3 : i32
    %other = halide.sub %three, %i : i32
    %v = halide.load %x[%other] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.buffer : memref<4xf32>
  // expected-error@+1 {{'turned' cannot fill an input in place [call_c3]}}
  driver.call @turned(%a) to (%a) : (memref<4xf32>) to (memref<4xf32>)
}
