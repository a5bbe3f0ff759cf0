// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What belongs to kernels on a device is at those alone, and has places that exist.

// expected-error@+1 {{launches, arrays and starts are for a device [pipeline_c12]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) launches [#halide.launch<"k", grid = [1, 1, 1], block = [1, 1, 1], shared = 0, args = [0, 1]>] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{launches, arrays and starts are for a device [pipeline_c12]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) arrays [16] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{launches, arrays and starts are for a device [pipeline_c12]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) starts [0, 4] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{a kernel on a device has no packed inputs [pipeline_c12]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) open [[1], [1]] packed [0] on_device {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{[0] are no starts of 2 buffers [pipeline_c13]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device starts [0] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{[0, -4] are no starts of 2 buffers [pipeline_c13]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device starts [0, -4] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{is not for 2 buffers, 0 arrays [pipeline_c13]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device launches [#halide.launch<"k", grid = [1, 1, 1], block = [1, 1, 1], shared = 0, args = [0, 2]>] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{is not for 2 buffers, 1 arrays [pipeline_c13]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device arrays [16] launches [#halide.launch<"k", grid = [1, 1, 1], block = [1, 1, 1], shared = 0, args = [3, 1]>] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{is not for 2 buffers, 0 arrays [pipeline_c13]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device launches [#halide.launch<"k", grid = ["extent(0, 0)", 1, 1], block = [1, 1, 1], shared = 0, args = [0, 1]>] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{is not for 2 buffers, 0 arrays [pipeline_c13]}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) open [[1], [1]] on_device launches [#halide.launch<"k", grid = [1, 1, 1], block = [1, 1, 1], shared = 0, args = [0, 1, "extent(1, 1)"]>] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{expected a #halide.launch}}
halide.pipeline @p(%x: !halide.buffer<f32, [4]>) to (%y: !halide.buffer<f32, [4]>) on_device launches [4 : i64] {
  %f = halide.func "f"(i %i) : f32 {
    %v = halide.load %x[%i] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
