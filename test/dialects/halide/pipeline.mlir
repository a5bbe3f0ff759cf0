// RUN: autodeploy-opt %s | filecheck %s
// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A pipeline with an update, an output whose rows are padded, and a schedule.

halide.pipeline @blur(%x: !halide.buffer<f32, [10, 4]>, %w: !halide.buffer<f32, [3]>) to (%y: !halide.buffer<f32, [8, 4], [1, 16]>) config<direct_conv> attributes {note = "any"} {
  %sum = halide.func "sum"(x %i, n %n) : f32 {
    %z = halide.const 0.0 : f32
    halide.yield %z : f32
  }
  halide.update %sum(x %i, n %n) over (r %r in 0 to 3) : !halide.func<f32, 2> {
    %old = halide.load %sum[%i, %n] : !halide.func<f32, 2> to f32
    %j = halide.add %i, %r : i32
    %a = halide.load %x[%j, %n] : !halide.buffer<f32, [10, 4]> to f32
    %b = halide.load %w[%r] : !halide.buffer<f32, [3]> to f32
    %p = halide.mul %a, %b : f32
    %s = halide.add %old, %p : f32
    halide.yield %s : f32
  }
  %out = halide.func "out"(x %i, n %n) : f32 {
    %v = halide.load %sum[%i, %n] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 4], [1, 16]>
  halide.schedule {
    halide.vectorize %out "x" by 4 : !halide.func<f32, 2>
  }
}

// CHECK:       halide.pipeline @blur(%x: !halide.buffer<f32, [10, 4]>, %w: !halide.buffer<f32, [3]>) to (%y: !halide.buffer<f32, [8, 4], [1, 16]>) config<direct_conv> attributes {note = "any"} {
// CHECK-NEXT:    %sum = halide.func "sum"(x %i, n %n) : f32 {
// CHECK-NEXT:      %z = halide.const 0.0 : f32
// CHECK-NEXT:      halide.yield %z : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    halide.update %sum(x %{{.*}}, n %{{.*}}) over (r %r in 0 to 3) : !halide.func<f32, 2> {
// CHECK-NEXT:      %old = halide.load %sum[%{{.*}}, %{{.*}}] : !halide.func<f32, 2> to f32
// CHECK-NEXT:      %j = halide.add %{{.*}}, %r : i32
// CHECK-NEXT:      %a = halide.load %x[%j, %{{.*}}] : !halide.buffer<f32, [10, 4]> to f32
// CHECK-NEXT:      %b = halide.load %w[%r] : !halide.buffer<f32, [3]> to f32
// CHECK-NEXT:      %p = halide.mul %a, %b : f32
// CHECK-NEXT:      %s = halide.add %old, %p : f32
// CHECK-NEXT:      halide.yield %s : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    %out = halide.func "out"(x %{{.*}}, n %{{.*}}) : f32 {
// CHECK:         halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8, 4], [1, 16]>
// CHECK-NEXT:    halide.schedule {
// CHECK-NEXT:      halide.vectorize %out "x" by 4 : !halide.func<f32, 2>
// CHECK-NEXT:    }
// CHECK-NEXT:  }
