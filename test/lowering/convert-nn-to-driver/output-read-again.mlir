// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// A value that is an output and is used further is read back from the output.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

func.func @main(%x: tensor<4xf32>) -> (tensor<2x2xf32>, tensor<4xf32>) {
  %a = nn.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = nn.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>
  %b = nn.call @k(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %b : tensor<2x2xf32>, tensor<4xf32>
}

// CHECK:      ^bb0(%x: memref<4xf32>, %r: memref<2x2xf32>, %b: memref<4xf32>):
// CHECK-NEXT:   %a = driver.view %r : memref<2x2xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @k(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT: }
