// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// A call of two results: one is an output, the other one is not used.

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

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>) {
  %a, %b = nn.call @two(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  func.return %b : tensor<4xf32>
}

// CHECK:      ^bb0(%x: memref<4xf32>, %b: memref<4xf32>):
// CHECK-NEXT:   %a = driver.buffer : memref<4xf32>
// CHECK-NEXT:   driver.call @two(%x) to (%a, %b) : (memref<4xf32>) to (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT: }
