// RUN: autodeploy-opt %s -t halide-cpp --verify-diagnostics

// What has no spelling in Halide is refused by name.

// expected-error@unknown {{arith.negf in pipeline 'k' has no spelling in Halide}}
halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(i %i) : f32 {
    %a = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %b = arith.negf %a : f32
    halide.yield %b : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
}
