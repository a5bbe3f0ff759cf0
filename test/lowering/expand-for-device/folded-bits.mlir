// RUN: autodeploy-opt --expand-for-device %s | filecheck %s

// The bits of a constant are a constant: the largest of these and a vector needs no number of the host. The largest of nan and
// a vector is a constant or the vector, and then folded, too. A nan with other bits than the constant is kept.

halide.pipeline @k(%x: !halide.buffer<f32, [8]>) to (%y: !halide.buffer<f32, [8]>) on_device {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [8]> to f32
    %zero = halide.const -0.0 : f32
    %bits = halide.reinterpret %zero : f32 to ui32
    %again = halide.reinterpret %bits : ui32 to f32
    %a = halide.max %v, %again : f32
    %two = halide.const 1073741824 : i32
    %two_again = halide.reinterpret %two : i32 to f32
    %b = halide.mul %a, %two_again : f32
    %quiet = halide.const 2143289344 : ui32
    %quiet_nan = halide.reinterpret %quiet : ui32 to f32
    %c = halide.max %b, %quiet_nan : f32
    %other = halide.const 2143289345 : ui32
    %other_nan = halide.reinterpret %other : ui32 to f32
    %d = halide.max %c, %two_again : f32
    %e = halide.mul %b, %d : f32
    %g = halide.add %e, %other_nan : f32
    halide.yield %g : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.split %f "i" to "ib", "it" by 4 : !halide.func<f32, 1>
    halide.vectorize %f "it" : !halide.func<f32, 1>
    halide.gpu_blocks %f ["ib"] : !halide.func<f32, 1>
  }
}

// CHECK:      %again = halide.const -0.0 : f32
// CHECK-NEXT: %0 = halide.max %again, %v : f32
// CHECK-NEXT: %1 = halide.reinterpret %v : f32 to ui32
// CHECK:      %a = halide.select %{{.*}}, %again, %0 : f32
// CHECK:      %two_again = halide.const 2.0 : f32
// CHECK:      %quiet_nan = halide.const nan : f32
// CHECK-NEXT: %other = halide.const 2143289345 : ui32
// CHECK-NEXT: %other_nan = halide.reinterpret %other : ui32 to f32
// CHECK-NEXT: %d = halide.const 2.0 : f32
// CHECK-NEXT: %e = halide.mul %b, %d : f32
