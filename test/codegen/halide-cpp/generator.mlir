// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// A generator: buffers as members, the algorithm, constant shapes, the schedule.

halide.pipeline @blur(%x: !halide.buffer<f32, [10, 4]>, %w: !halide.buffer<f32, [3]>) to (%y: !halide.buffer<f32, [8, 4], [1, 16]>) config<direct_conv> {
  %sum = halide.func "blurred"(i %i, n %n) : f32 {
    %z = halide.const 0.0 : f32
    halide.yield %z : f32
  }
  halide.update %sum(i %i, n %n) over (r %r in 0 to 3) : !halide.func<f32, 2> {
    %old = halide.load %sum[%i, %n] : !halide.func<f32, 2> to f32
    %j = halide.add %i, %r : i32
    %a = halide.load %x[%j, %n] : !halide.buffer<f32, [10, 4]> to f32
    %b = halide.load %w[%r] : !halide.buffer<f32, [3]> to f32
    %p = halide.mul %a, %b : f32
    %s = halide.add %old, %p : f32
    halide.yield %s : f32
  }
  %out = halide.func "out"(i %i, n %n) : f32 {
    %v = halide.load %sum[%i, %n] : !halide.func<f32, 2> to f32
    %zero = halide.const 0.0 : f32
    %m = halide.max %zero, %v : f32
    %s = halide.strict %m : f32
    halide.yield %s : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 4], [1, 16]>
  halide.schedule {
    halide.split %out "i" to "io", "ii" by 4 : !halide.func<f32, 2>
    halide.vectorize %out "ii" : !halide.func<f32, 2>
    halide.compute_at %sum at %out "io" : !halide.func<f32, 2> at !halide.func<f32, 2>
    halide.vectorize %sum "i" by 4 {stage = 1} : !halide.func<f32, 2>
  }
}

// CHECK:      #include "Halide.h"
// CHECK:      namespace {
// CHECK:      // direct_conv
// CHECK-NEXT: class Blur : public Generator<Blur> {
// CHECK-NEXT: public:
// CHECK-NEXT:     Input<Buffer<float, 2>> x{"x"};
// CHECK-NEXT:     Input<Buffer<float, 1>> w{"w"};
// CHECK-NEXT:     Output<Buffer<float, 2>> y{"y"};
// CHECK-EMPTY:
// CHECK-NEXT:     void generate() {
// CHECK-NEXT:         // Algorithm.
// CHECK-NEXT:         Var i("i"), n("n");
// CHECK-NEXT:         Func blurred("blurred");
// CHECK-NEXT:         blurred(i, n) = 0.0f;
// CHECK-NEXT:         RDom domain(0, 3);
// CHECK-NEXT:         RVar r = domain[0];
// CHECK-NEXT:         blurred(i, n) += x(i + r, n) * w(r);
// CHECK-NEXT:         y(i, n) = strict_float(max(0.0f, blurred(i, n)));
// CHECK-EMPTY:
// CHECK-NEXT:         // Extents and strides that are constants.
// CHECK-NEXT:         x.dim(0).set_bounds(0, 10).set_stride(1);
// CHECK-NEXT:         x.dim(1).set_bounds(0, 4).set_stride(10);
// CHECK-NEXT:         w.dim(0).set_bounds(0, 3).set_stride(1);
// CHECK-NEXT:         y.dim(0).set_bounds(0, 8).set_stride(1);
// CHECK-NEXT:         y.dim(1).set_bounds(0, 4).set_stride(16);
// CHECK-EMPTY:
// CHECK-NEXT:         // Schedule.
// CHECK-NEXT:         Var io("io"), ii("ii");
// CHECK-NEXT:         y.split(i, io, ii, 4)
// CHECK-NEXT:             .vectorize(ii);
// CHECK-NEXT:         blurred.compute_at(y, io);
// CHECK-NEXT:         blurred.update().vectorize(i, 4);
// CHECK-NEXT:     }
// CHECK-NEXT: };
// CHECK:      HALIDE_REGISTER_GENERATOR(Blur, blur)
