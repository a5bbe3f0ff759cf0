// RUN: autodeploy-opt --set-machine=machine=x86-64 --compile-kernels %s | filecheck %s
// RUN: autodeploy-opt --set-machine=machine=x86-64 --compile-kernels --compile-kernels %s | filecheck %s

// A kernel works in what its schedule keeps: a row at a time, of the thread that runs it, or of each thread that
// takes part in its parallel loop; or nothing. What was written there before is replaced.

halide.pipeline @serial(%x: !halide.buffer<f32, [8000, 16]>) to (%y: !halide.buffer<f32, [8000, 16]>) {
  %twice = halide.func "twice"(c %c, r %r) : f32 {
    %v = halide.load %x[%c, %r] : !halide.buffer<f32, [8000, 16]> to f32
    %d = halide.add %v, %v : f32
    halide.yield %d : f32
  }
  %out = halide.func "out"(c %c, r %r) : f32 {
    %last = halide.const 7999 : i32
    %back = halide.sub %last, %c : i32
    %v = halide.load %twice[%back, %r] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8000, 16]>
  halide.schedule {
    halide.compute_at %twice at %out "r" : !halide.func<f32, 2> at !halide.func<f32, 2>
  }
}
halide.pipeline @parallel(%x: !halide.buffer<f32, [8000, 16]>) to (%y: !halide.buffer<f32, [8000, 16]>) scratch 7 {
  %twice = halide.func "twice"(c %c, r %r) : f32 {
    %v = halide.load %x[%c, %r] : !halide.buffer<f32, [8000, 16]> to f32
    %d = halide.add %v, %v : f32
    halide.yield %d : f32
  }
  %out = halide.func "out"(c %c, r %r) : f32 {
    %last = halide.const 7999 : i32
    %back = halide.sub %last, %c : i32
    %v = halide.load %twice[%back, %r] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8000, 16]>
  halide.schedule {
    halide.compute_at %twice at %out "r" : !halide.func<f32, 2> at !halide.func<f32, 2>
    halide.parallel %out "r" : !halide.func<f32, 2>
  }
}
halide.pipeline @inlined(%x: !halide.buffer<f32, [8000, 16]>) to (%y: !halide.buffer<f32, [8000, 16]>) scratch 7 worker_scratch 7 {
  %twice = halide.func "twice"(c %c, r %r) : f32 {
    %v = halide.load %x[%c, %r] : !halide.buffer<f32, [8000, 16]> to f32
    %d = halide.add %v, %v : f32
    halide.yield %d : f32
  }
  %out = halide.func "out"(c %c, r %r) : f32 {
    %last = halide.const 7999 : i32
    %back = halide.sub %last, %c : i32
    %v = halide.load %twice[%back, %r] : !halide.func<f32, 2> to f32
    halide.yield %v : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [8000, 16]>
}

// CHECK:      halide.pipeline @serial({{.*}}) to ({{.*}}) scratch 32{{[0-9][0-9][0-9]}} {
// CHECK:      halide.pipeline @parallel({{.*}}) to ({{.*}}) scratch 32{{[0-9][0-9][0-9]}} worker_scratch 32{{[0-9][0-9][0-9]}} {
// CHECK:      halide.pipeline @inlined({{.*}}) to (%y: !halide.buffer<f32, [8000, 16]>) {
