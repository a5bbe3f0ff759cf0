// RUN: autodeploy-opt --place-weights %s | filecheck %s

// Weights lie in the order in which the calls read them, each at a multiple of 64 bytes.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
halide.pipeline @add(%x: !halide.buffer<f32, [4]>, %y: !halide.buffer<f32, [4]>) to (%z: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [4]> to f32
    %c = halide.add %a, %b : f32
    halide.yield %c : f32
  }
  halide.output %f in %z : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y", "z"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<17xf32>):
  %late = driver.weight #nn.dense<3.0 : tensor<4xf32>> : memref<4xf32>
  %second = driver.weight #nn.dense<2.0 : tensor<1x4xf32>> : memref<1x4xf32>
  %v = driver.view %second : memref<1x4xf32> to memref<4xf32>
  %first = driver.weight #nn.dense<1.0 : tensor<4xf32>> : memref<4xf32>
  %large = driver.weight #nn.dense<4.0 : tensor<17xf32>> : memref<17xf32>
  %a = driver.buffer : memref<4xf32>
  driver.call @add(%first, %v) to (%a) : (memref<4xf32>, memref<4xf32>) to (memref<4xf32>)
  driver.copy %large to %z : memref<17xf32> to memref<17xf32>
  driver.call @add(%first, %late) to (%y) : (memref<4xf32>, memref<4xf32>) to (memref<4xf32>)
}

// CHECK: outputs ["y", "z"] weights 320 {
// CHECK: %late = driver.weight #nn.dense<3.0 : tensor<4xf32>> {offset = 256 : i64}
// CHECK: %second = driver.weight #nn.dense<2.0 : tensor<1x4xf32>> {offset = 64 : i64}
// CHECK: %first = driver.weight #nn.dense<1.0 : tensor<4xf32>> {offset = 0 : i64}
// CHECK: %large = driver.weight #nn.dense<4.0 : tensor<17xf32>> {offset = 128 : i64}
