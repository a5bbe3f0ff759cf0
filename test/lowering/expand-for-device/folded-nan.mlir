// RUN: autodeploy-opt --expand-for-device %s | filecheck %s

// The least and the largest of nan and a number are the second operand, as Halide's own are.

halide.pipeline @k(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device {
  %f = halide.func "f"(x %i) : f32 {
    %nan = halide.const nan : f32
    %one = halide.const 1.0 : f32
    %least = halide.min %nan, %one : f32
    %largest = halide.max %one, %nan : f32
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    %a = halide.mul %v, %least : f32
    %b = halide.add %a, %largest : f32
    halide.yield %b : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// CHECK:      %least = halide.const 1.0 : f32
// CHECK:      %largest = halide.const nan : f32
// CHECK:      halide.mul %v, %least : f32
