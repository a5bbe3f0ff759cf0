// RUN: autodeploy-opt --set-machine=machine=cortex-m4 --bound-stack %s | filecheck %s
// RUN: not autodeploy-opt --bound-stack %s 2>&1 | filecheck %s --check-prefix=ERROR

// A sum that no schedule speaks of is kept by Halide where it is read; the pipeline then gets a schedule.

halide.pipeline @sums(%x: !halide.buffer<f32, [100, 8]>) to (%y: !halide.buffer<f32, [100, 8]>) {
  %sum = halide.func "sum"(c %c, r %r) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %sum(c %c, r %r) over (k %k in 0 to 8) : !halide.func<f32, 2> {
    %old = halide.load %sum[%c, %r] : !halide.func<f32, 2> to f32
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [100, 8]> to f32
    %new = halide.add %old, %v : f32
    halide.yield %new : f32
  }
  %out = halide.func "out"(c %c, r %r) : f32 {
    %a = halide.const 0 : i32
    %b = halide.const 99 : i32
    %v = halide.load %sum[%b, %r] : !halide.func<f32, 2> to f32
    %first = halide.load %sum[%a, %r] : !halide.func<f32, 2> to f32
    %d = halide.mul %v, %first : f32
    halide.yield %d : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [100, 8]>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.store_in %sum in heap : !halide.func<f32, 2>
// CHECK-NEXT: }

// ERROR: machine
