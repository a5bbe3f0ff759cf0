// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// Equal constants are one weight; another type or another value is another one.

halide.pipeline @add(%x: !halide.buffer<f32, [4]>, %y: !halide.buffer<f32, [4]>) to (%z: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    %b = halide.load %y[%i] : !halide.buffer<f32, [4]> to f32
    %c = halide.add %a, %b : f32
    halide.yield %c : f32
  }
  halide.output %f in %z : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>) {
  %a = nn.constant #nn.dense<1.0 : tensor<4xf32>>
  %b = nn.constant #nn.dense<1.0 : tensor<4xf32>>
  %c = nn.constant #nn.dense<2.0 : tensor<4xf32>>
  %d = nn.constant #nn.dense<1.0 : tensor<2x2xf32>>
  %y = nn.call @add(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = nn.call @add(%b, %c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %y, %z, %d : tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>
}

// CHECK:      %a = driver.weight #nn.dense<1.0 : tensor<4xf32>> : memref<4xf32>
// CHECK-NEXT: %c = driver.weight #nn.dense<2.0 : tensor<4xf32>> : memref<4xf32>
// CHECK-NEXT: %d = driver.weight #nn.dense<1.0 : tensor<2x2xf32>> : memref<2x2xf32>
// CHECK-NEXT: driver.call @add(%a, %a) to (%y) : (memref<4xf32>, memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT: driver.call @add(%a, %c) to (%z) : (memref<4xf32>, memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT: driver.copy %d to %0 : memref<2x2xf32> to memref<2x2xf32>
