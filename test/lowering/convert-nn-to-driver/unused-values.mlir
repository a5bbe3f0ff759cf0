// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// Constants and reshapes that nothing reads leave nothing behind.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>) {
  %a = nn.constant #nn.dense<1.0 : tensor<4xf32>>
  %b = nn.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>
  %r = nn.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>
  %y = nn.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK:      ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
// CHECK-NEXT:   driver.call @k(%x) to (%y) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT: }
