// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// Buffers of a kernel on a device are whole blocks: coordinates below 0 lead to the first element of
// each, and the result is computed from there on.

halide.pipeline @late(%x: !halide.buffer<f32, [4, 3], [1, 8]>) to (%y: !halide.buffer<f32, [4, 3], [1, 8]>) on_device starts [20, 4] {
  %f = halide.func "f"(x %x0, y %y0) : f32 {
    %0 = halide.load %x[%x0, %y0] : !halide.buffer<f32, [4, 3], [1, 8]> to f32
    halide.yield %0 : f32
  }
  halide.output %f in %y : !halide.func<f32, 2> in !halide.buffer<f32, [4, 3], [1, 8]>
}

// CHECK:      // Extents and strides that are constants.
// CHECK-NEXT: x_buffer.dim(0).set_bounds(-4, 8).set_stride(1);
// CHECK-NEXT: x_buffer.dim(1).set_bounds(-2, 5).set_stride(8);
// CHECK-NEXT: y_buffer.dim(0).set_bounds(-4, 8).set_stride(1);
// CHECK-NEXT: y_buffer.dim(1).set_bounds(0, 3).set_stride(8);
// CHECK-NEXT: y_buffer.bound(x, 0, 4);
// CHECK-NEXT: y_buffer.bound(y, 0, 3);
