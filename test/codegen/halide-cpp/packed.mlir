// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// The strides of dimensions around an open one come with the call where a run has no gaps; others are constants.

// CHECK:      x.dim(0).set_bounds(0, 4).set_stride(1);
// CHECK-NEXT: x.dim(1).set_min(0).set_stride(4);
// CHECK-NEXT: x.dim(2).set_bounds(0, 3);
// CHECK-NEXT: x.dim(3).set_bounds(0, 1).set_stride(108);
// CHECK-NEXT: y.dim(0).set_bounds(0, 4).set_stride(1);
// CHECK-NEXT: y.dim(1).set_min(0).set_stride(4);
// CHECK-NEXT: y.dim(2).set_bounds(0, 3).set_stride(36);
halide.pipeline @k(%x: !halide.buffer<f32, [4, 9, 3, 1]>) to (%y: !halide.buffer<f32, [4, 9, 3, 1]>)
    open [[0, 1, 0, 0], [0, 1, 0, 0]] packed [0] {
  %f = halide.func "f"(i %i, j %j, k %k, l %l) : f32 {
    %v = halide.load %x[%i, %j, %k, %l] : !halide.buffer<f32, [4, 9, 3, 1]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 4> in !halide.buffer<f32, [4, 9, 3, 1]>
}
