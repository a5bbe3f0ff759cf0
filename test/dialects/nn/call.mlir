// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A call prints as it parses.

halide.pipeline @copy_0(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

func.func @f(%x: tensor<4xf32>) {
  %0 = nn.call @copy_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return
}

// CHECK: %0 = nn.call @copy_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
