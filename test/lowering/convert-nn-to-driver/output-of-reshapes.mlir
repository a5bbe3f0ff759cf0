// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// The last call writes the output through one view, whatever stands between.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

func.func @main(%x: tensor<4xf32>) -> (tensor<2x2xf32>) {
  %a = nn.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = nn.reshape %a : (tensor<4xf32>) -> tensor<1x4xf32>
  %s = nn.reshape %r : (tensor<1x4xf32>) -> tensor<2x2xf32>
  func.return %s : tensor<2x2xf32>
}

// CHECK:      ^bb0(%x: memref<4xf32>, %s: memref<2x2xf32>):
// CHECK-NEXT:   %a = driver.view %s : memref<2x2xf32> to memref<4xf32>
// CHECK-NEXT:   driver.call @k(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT: }
