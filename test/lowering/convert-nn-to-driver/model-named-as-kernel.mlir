// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// A model of the name of a kernel is numbered.

builtin.module attributes {nn.model = "k"} {
  halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
    %f = halide.func "f"(i %i) : f32 {
      %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
      halide.yield %v : f32
    }
    halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  }

  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>) {
    %a = nn.call @k(%x) : (tensor<4xf32>) -> tensor<4xf32>
    func.return %a : tensor<4xf32>
  }
}

// CHECK: halide.pipeline @k(
// CHECK: driver.program @k_1 inputs
