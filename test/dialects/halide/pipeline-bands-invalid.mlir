// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// There is a number of rows for the image that is read, for each func of role "rows" and for the result.

// expected-error@+1 {{bands are a number from 1 on for each of 4 images, found [9, 4, 2] [pipeline_c9]}}
halide.pipeline @bands(%in: !halide.buffer<f32, [4]>) to (%result: !halide.buffer<f32, [4]>) config<row_bands, bands = [9, 4, 2]> {
  %rows = halide.func "rows"(x %x) in [4] : f32 {
    %v = halide.load %in[%x] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  %rows2 = halide.func "rows2" as "rows"(x %x) in [4] : f32 {
    %v = halide.load %rows[%x] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  %out = halide.func "out"(x %x) : f32 {
    %v = halide.load %rows2[%x] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %out in %result : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{bands are a number from 1 on for each of 4 images, found [9, 4, 0, 2] [pipeline_c9]}}
halide.pipeline @bands(%in: !halide.buffer<f32, [4]>) to (%result: !halide.buffer<f32, [4]>) config<row_bands, bands = [9, 4, 0, 2]> {
  %rows = halide.func "rows"(x %x) in [4] : f32 {
    %v = halide.load %in[%x] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  %rows2 = halide.func "rows2" as "rows"(x %x) in [4] : f32 {
    %v = halide.load %rows[%x] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  %out = halide.func "out"(x %x) : f32 {
    %v = halide.load %rows2[%x] : !halide.func<f32, 1> to f32
    halide.yield %v : f32
  }
  halide.output %out in %result : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}

// -----

// expected-error@+1 {{'<' expected}}
halide.pipeline @bands() to (%y: !halide.buffer<f32, [4]>) config "row_bands" {
}

// -----

// expected-error@+1 {{knob bands of row_bands has integers, found #nn.config<row_bands, bands = [x]>}}
halide.pipeline @bands(%in: !halide.buffer<f32, [4]>) to (%result: !halide.buffer<f32, [4]>) config<row_bands, bands = [x]> {
  %out = halide.func "out"(x %x) : f32 {
    %v = halide.load %in[%x] : !halide.buffer<f32, [4]> to f32
    halide.yield %v : f32
  }
  halide.output %out in %result : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
}
