// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// A chain of calls: buffers between them, the last one writes the output. Names are the model's.

builtin.module attributes {nn.model = "net"} {
  halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }

  func.func @main(%x: tensor<4xf32> {nn.name = "Input3"}) -> (tensor<4xf32> {nn.name = "Plus214 Output/0"}) {
    %a = nn.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %b = nn.call @k(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %c = nn.call @k(%b) : (tensor<4xf32>) -> tensor<4xf32>
    func.return %c : tensor<4xf32>
  }
}

// CHECK:      driver.program @net inputs ["Input3"] outputs ["Plus214 Output/0"] {
// CHECK-NEXT: ^bb0(%x: memref<4xf32>, %c: memref<4xf32>):
// CHECK-NEXT:   %a = driver.buffer : memref<4xf32>
// CHECK-NEXT:   driver.call @k(%x) to (%a) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   %b = driver.buffer : memref<4xf32>
// CHECK-NEXT:   driver.call @k(%a) to (%b) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT:   driver.call @k(%b) to (%c) : (memref<4xf32>) to (memref<4xf32>)
// CHECK-NEXT: }
// CHECK-NOT:  func.func
