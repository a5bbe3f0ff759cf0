// RUN: autodeploy-opt %s --convert-nn-to-driver --split-input-file --verify-diagnostics

// A call that does not fit the kernel is caught when the program is verified.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

func.func @main(%x: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{takes (!halide.buffer<f32, [4]>) to (!halide.buffer<f32, [4]>), found (!halide.buffer<f32, [5]>)}}
  %y = nn.call @k(%x) : (tensor<5xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
