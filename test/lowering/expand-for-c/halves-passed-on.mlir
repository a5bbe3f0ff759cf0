// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// Hints and choices pass the bits of a 16-bit float on: nothing is converted.

halide.pipeline @f(%in: !halide.buffer<f16, [8]>) to (%result: !halide.buffer<f16, [8]>) {
  %out = halide.func "out"(x %x) in [8] : f16 {
    %a = halide.load %in[%x] : !halide.buffer<f16, [8]> to f16
    %b = halide.likely %a : f16
    %zero = halide.const 0.0 : f16
    %c = halide.const 4 : i32
    %d = halide.lt %x, %c : i32
    %e = halide.select %d, %b, %zero : f16
    %s = halide.strict %e : f16
    halide.yield %s : f16
  }
  halide.output %out in %result : !halide.func<f16, 1> in !halide.buffer<f16, [8]>
}

// CHECK:      halide.load
// CHECK-NEXT: halide.likely %{{.*}} : ui16
// CHECK:      halide.select %{{.*}} : ui16
// CHECK-NEXT: halide.strict %{{.*}} : ui16
// CHECK-NEXT: halide.yield %{{.*}} : ui16
