// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// A value that is two outputs is written into the first and copied to the second.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = nn.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a, %a : tensor<4xf32>, tensor<4xf32>
}

// CHECK:      ^bb0(%x: memref<4xf32>, %a: memref<4xf32>, %0: memref<4xf32>):
// CHECK-NEXT:   driver.call @k(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.copy %a to %0 : memref<4xf32> to memref<4xf32>
// CHECK-NEXT: }
