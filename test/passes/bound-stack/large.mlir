// RUN: autodeploy-opt --set-machine=machine=cortex-m7 --bound-stack %s | filecheck %s
// RUN: autodeploy-opt --set-machine=machine=cortex-m7 --bound-stack --bound-stack %s | filecheck %s
// RUN: autodeploy-opt --set-machine=machine=cortex-m7 --bound-stack --compile-kernels %s | filecheck %s --check-prefix=MEMORY
// RUN: autodeploy-opt --set-machine=machine=x86-64 --bound-stack %s | filecheck %s --check-prefix=SYSTEM

// Without an operating system an array of more than 256 bytes is none of the stack; one of 256 bytes stays, and a func
// whose schedule says where it is stored. With a system there is stack enough.

halide.pipeline @rows(%x: !halide.buffer<f32, [64, 16]>) to (%y: !halide.buffer<f32, [64, 16]>) {
  %small = halide.func "small"(c %c, r %r) : f32 {
    %v = halide.load %x[%c, %r] : !halide.buffer<f32, [64, 16]> to f32
    %d = halide.add %v, %v : f32
    halide.yield %d : f32
  }
  %large = halide.func "large"(c %c, r %r) : f32 {
    %v = halide.load %small[%c, %r] : !halide.func<f32, 2> to f32
    %d = halide.mul %v, %v : f32
    halide.yield %d : f32
  }
  %chosen = halide.func "chosen"(c %c, r %r) : f32 {
    %v = halide.load %large[%c, %r] : !halide.func<f32, 2> to f32
    %d = halide.mul %v, %v : f32
    halide.yield %d : f32
  }
  %out = halide.func "out"(c %c, r %r) : f32 {
    %last = halide.const 63 : i32
    %back = halide.sub %last, %c : i32
    %v = halide.load %chosen[%back, %r] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [64, 16]>
  halide.schedule {
    halide.compute_root %chosen : !halide.func<f32, 2>
    halide.store_in %chosen in stack : !halide.func<f32, 2>
    halide.compute_root %large : !halide.func<f32, 2>
    halide.compute_at %small at %large "r" : !halide.func<f32, 2> at !halide.func<f32, 2>
  }
}

// CHECK:      halide.compute_at %small
// CHECK-NEXT: halide.store_in %large in heap : !halide.func<f32, 2>
// CHECK-NEXT: }

// MEMORY:     halide.pipeline @rows{{.*}} scratch 4352 stack 4352 {

// SYSTEM:     halide.compute_at %small
// SYSTEM-NEXT: }
