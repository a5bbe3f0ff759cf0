// RUN: autodeploy-opt --place-weights %s | filecheck %s

// Weights that nothing reads are removed, and the views that led to no reader.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

driver.program @net inputs ["x"] outputs ["y"] {
^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
  %a = driver.weight #nn.dense<1.0 : tensor<4xf32>> : memref<4xf32>
  %b = driver.weight #nn.dense<2.0 : tensor<4xf32>> : memref<4xf32>
  %v = driver.view %b : memref<4xf32> to memref<2x2xf32>
  %u = driver.view %v : memref<2x2xf32> to memref<4x1xf32>
  %c = driver.weight #nn.dense<3.0 : tensor<4xf32>> : memref<4xf32>
  %k = driver.view %c : memref<4xf32> to memref<4xf32>
  driver.call @k(%k) to (%y) : (memref<4xf32>) to (memref<4xf32>)
}

// CHECK:      driver.program @net inputs ["x"] outputs ["y"] weights 64 {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
// CHECK-NEXT:   %c = driver.weight #nn.dense<3.0 : tensor<4xf32>> {offset = 0 : i64} : memref<4xf32>
// CHECK-NEXT:   %k = driver.view %c : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @k(%k) to (%y) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT: }
