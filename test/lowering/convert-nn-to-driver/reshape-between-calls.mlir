// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// A reshape between calls is a view of the buffer; one of the view is a view of the same buffer.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

func.func @main(%x: tensor<2x2xf32>) -> (tensor<4xf32>) {
  %r = nn.reshape %x : (tensor<2x2xf32>) -> tensor<4xf32>
  %a = nn.call @k(%r) : (tensor<4xf32>) -> tensor<4xf32>
  %s = nn.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>
  %t = nn.reshape %s : (tensor<2x2xf32>) -> tensor<4x1xf32>
  %u = nn.reshape %t : (tensor<4x1xf32>) -> tensor<4xf32>
  %b = nn.call @k(%u) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// CHECK:      ^bb0(%x: memref<2x2xf32>, %b: memref<4xf32>):
// CHECK-NEXT:   %r = driver.view %x : memref<2x2xf32> to memref<4xf32>
// CHECK-NEXT:   %a = driver.buffer : memref<4xf32>
// CHECK-NEXT:   driver.call @k(%r) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT: }
