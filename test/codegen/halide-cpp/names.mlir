// RUN: autodeploy-opt %s -t halide-cpp | filecheck %s

// Names of C++, of Halide and of other things in the generator are left to their owners.

halide.pipeline @select(%for: !halide.buffer<f32, [4]>, %x: !halide.buffer<f32, [4]>) to (%Var: !halide.buffer<f32, [4]>) {
  %f = halide.func "sum"(x %i) : f32 {
    %v = halide.load %for[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.update %f(x %i) over (cos %r in 0 to 4) : !halide.func<f32, 1> {
    %v = halide.load %x[%r] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  %g = halide.func "out"(int %i) : f32 {
    %exp = halide.load %f[%i] : !halide.func<f32, 1> to f32
    %d = halide.mul %exp, %exp : f32
    halide.yield %d : f32
  }
  halide.output %g in %Var : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
  halide.schedule {
    halide.split %g "int" to "max", "min" by 2 : !halide.func<f32, 1>
  }
}

halide.pipeline @Select() to (%y: !halide.buffer<i32, [4]>) {
  %f = halide.func "y"(y %i) : i32 {
    halide.yield %i : i32
  }
  halide.output %f in %y : !halide.func<i32, 1> in !halide.buffer<i32, [4]>
}

// CHECK:      class Select : public Generator<Select> {
// CHECK-NEXT: public:
// CHECK-NEXT:     Input<Buffer<float, 1>> for_{"for_"};
// CHECK-NEXT:     Input<Buffer<float, 1>> x_buffer{"x_buffer"};
// CHECK-NEXT:     Output<Buffer<float, 1>> Var_buffer{"Var_buffer"};
// CHECK:          Var x("x"), int_("int_");
// CHECK-NEXT:     Func sum_func("sum");
// CHECK-NEXT:     sum_func(x) = for_(x);
// CHECK-NEXT:     RDom domain(0, 4);
// CHECK-NEXT:     RVar cos_2 = domain[0];
// CHECK-NEXT:     sum_func(x) = x_buffer(cos_2);
// CHECK-NEXT:     Expr exp_value = sum_func(int_);
// CHECK-NEXT:     Var_buffer(int_) = exp_value * exp_value;
// CHECK:          Var max_2("max"), min_2("min");
// CHECK-NEXT:     Var_buffer.split(int_, max_2, min_2, 2);

// CHECK:      class Select_2 : public Generator<Select_2> {
// CHECK:          Output<Buffer<int32_t, 1>> y_buffer{"y_buffer"};
// CHECK:          y_buffer(y) = y;

// CHECK:      HALIDE_REGISTER_GENERATOR(Select, select)
// CHECK-NEXT: HALIDE_REGISTER_GENERATOR(Select_2, Select)
