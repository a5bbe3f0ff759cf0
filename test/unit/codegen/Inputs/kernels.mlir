// Kernels that use every expression and every schedule op, for test_halide_emitters.py.

// A convolution: padded channels-last input, packed filter, bias, a clip that keeps nan.
halide.pipeline @conv(%input: !halide.buffer<f32, [8, 16, 6]>, %filter: !halide.buffer<f32, [32, 8, 3, 3]>, %bias: !halide.buffer<f32, [32]>) to (%output: !halide.buffer<f32, [32, 14, 4]>) config<direct_conv> fast_math {
  %sum = halide.func "sum"(c %c, x %x, y %y) : f32 {
    %b = halide.load %bias[%c] : !halide.buffer<f32, [32]> to f32
    halide.yield %b : f32
  }
  halide.update %sum(c %c, x %x, y %y) over (ci %ci in 0 to 8, kx %kx in 0 to 3, ky %ky in 0 to 3) : !halide.func<f32, 3> {
    %old = halide.load %sum[%c, %x, %y] : !halide.func<f32, 3> to f32
    %ix = halide.add %x, %kx : i32
    %iy = halide.add %y, %ky : i32
    %v = halide.load %input[%ci, %ix, %iy] : !halide.buffer<f32, [8, 16, 6]> to f32
    %w = halide.load %filter[%c, %ci, %kx, %ky] : !halide.buffer<f32, [32, 8, 3, 3]> to f32
    %p = halide.mul %w, %v : f32
    %new = halide.add %old, %p : f32
    halide.yield %new : f32
  }
  %clip = halide.func "clip"(c %c, x %x, y %y) : f32 {
    %t = halide.load %sum[%c, %x, %y] : !halide.func<f32, 3> to f32
    %bits = halide.reinterpret %t : f32 to i32
    %extent = halide.extent %input 2 : !halide.buffer<f32, [8, 16, 6]>
    %six = halide.const 6 : i32
    %zero = halide.sub %extent, %six : i32
    %hidden = halide.add %bits, %zero : i32
    %v = halide.reinterpret %hidden : i32 to f32
    %low = halide.const 0.0 : f32
    %high = halide.const 6.0 : f32
    %m = halide.max %low, %v : f32
    %n = halide.min %high, %m : f32
    %s = halide.strict %n : f32
    halide.yield %s : f32
  }
  halide.output %clip in %output : !halide.func<f32, 3> in !halide.buffer<f32, [32, 14, 4]>
  halide.schedule {
    halide.bound %clip "c" from 0 extent 32 : !halide.func<f32, 3>
    halide.split %clip "x" to "xo", "xi" by 7 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 3>
    halide.reorder %clip ["c", "xi", "xo", "y"] : !halide.func<f32, 3>
    halide.vectorize %clip "c" by 16 : !halide.func<f32, 3>
    halide.unroll %clip "xi" : !halide.func<f32, 3>
    halide.parallel %clip "y" : !halide.func<f32, 3>
    halide.compute_at %sum at %clip "xo" : !halide.func<f32, 3> at !halide.func<f32, 3>
    halide.store_in %sum in stack : !halide.func<f32, 3>
    halide.bound_extent %sum "c" extent 32 : !halide.func<f32, 3>
    halide.vectorize %sum "c" by 16 : !halide.func<f32, 3>
    halide.split %sum "ci" to "cio", "cii" by 2 {stage = 1} : !halide.func<f32, 3>
    halide.reorder %sum ["c", "x", "cii", "cio", "kx", "ky"] {stage = 1} : !halide.func<f32, 3>
    halide.vectorize %sum "c" by 16 {stage = 1} : !halide.func<f32, 3>
    halide.unroll %sum "x" {stage = 1} : !halide.func<f32, 3>
    halide.unroll %sum "cii" {stage = 1} : !halide.func<f32, 3>
  }
}

// Two stages in scratch memory, one inside a parallel loop; a fused and an unevenly split loop.
halide.pipeline @scratch(%input: !halide.buffer<f32, [3000, 3]>) to (%output: !halide.buffer<f32, [3000, 3]>) {
  %twice = halide.func "twice"(x %x, y %y) : f32 {
    %v = halide.load %input[%x, %y] : !halide.buffer<f32, [3000, 3]> to f32
    %d = halide.add %v, %v : f32
    halide.yield %d : f32
  }
  %row = halide.func "row"(x %x, y %y) : f32 {
    %two = halide.const 2 : i32
    %back = halide.sub %two, %y : i32
    %a = halide.load %twice[%x, %y] : !halide.func<f32, 2> to f32
    %b = halide.load %twice[%x, %back] : !halide.func<f32, 2> to f32
    %d = halide.sub %a, %b : f32
    halide.yield %d : f32
  }
  %out = halide.func "out"(x %x, y %y) : f32 {
    %last = halide.const 2999 : i32
    %back = halide.sub %last, %x : i32
    %a = halide.load %row[%x, %y] : !halide.func<f32, 2> to f32
    %b = halide.load %row[%back, %y] : !halide.func<f32, 2> to f32
    %p = halide.mul %a, %b : f32
    halide.yield %p : f32
  }
  halide.output %out in %output : !halide.func<f32, 2> in !halide.buffer<f32, [3000, 3]>
  halide.schedule {
    halide.compute_root %twice : !halide.func<f32, 2>
    halide.align_storage %twice "x" to 16 : !halide.func<f32, 2>
    halide.fuse %twice "x", "y" to "xy" : !halide.func<f32, 2>
    halide.split %twice "xy" to "xy", "lane" by 7 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 2>
    halide.store_at %row at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
    halide.compute_at %row at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
    halide.store_in %row in heap : !halide.func<f32, 2>
    halide.vectorize %row "x" by 8 : !halide.func<f32, 2>
    halide.vectorize %out "x" by 8 : !halide.func<f32, 2>
    halide.parallel %out "y" : !halide.func<f32, 2>
  }
}

// Float functions side by side, one output each; strides that are not dense.
halide.pipeline @floats(%a: !halide.buffer<f32, [16, 2]>, %b: !halide.buffer<f32, [16, 2], [2, 32]>) to (%smooth: !halide.buffer<f32, [16, 2]>, %steps: !halide.buffer<f32, [16, 2], [1, 24]>, %logic: !halide.buffer<i1, [16, 2]>) {
  %f = halide.func "smooth"(x %x, y %y) : f32 {
    %u = halide.load %a[%x, %y] : !halide.buffer<f32, [16, 2]> to f32
    %v = halide.load %b[%x, %y] : !halide.buffer<f32, [16, 2], [2, 32]> to f32
    %1 = halide.exp %u : f32
    %2 = halide.abs %v : f32
    %3 = halide.sqrt %2 : f32
    %4 = halide.log %1 : f32
    %5 = halide.sin %v : f32
    %6 = halide.cos %u : f32
    %7 = halide.tanh %u : f32
    %8 = halide.erf %v : f32
    %9 = halide.pow %2, %7 : f32
    %10 = halide.div %3, %1 : f32
    %11 = halide.sub %4, %10 : f32
    %12 = halide.sub %u, %11 : f32
    %13 = halide.mul %5, %6 : f32
    %14 = halide.add %13, %8 : f32
    %15 = halide.mul %12, %14 : f32
    %16 = halide.add %15, %9 : f32
    halide.yield %16 : f32
  }
  %g = halide.func "steps"(x %x, y %y) : f32 {
    %u = halide.load %a[%x, %y] : !halide.buffer<f32, [16, 2]> to f32
    %v = halide.load %b[%x, %y] : !halide.buffer<f32, [16, 2], [2, 32]> to f32
    %c = halide.const -1.0e-3 : f32
    %tenth = halide.const 0.1 : f32
    %1 = halide.floor %u : f32
    %2 = halide.ceil %v : f32
    %3 = halide.round %u : f32
    %4 = halide.mod %v, %tenth : f32
    %5 = halide.min %1, %2 : f32
    %6 = halide.max %3, %c : f32
    %7 = halide.add %5, %6 : f32
    %8 = halide.sub %7, %4 : f32
    %9 = halide.likely %8 : f32
    halide.yield %9 : f32
  }
  %h = halide.func "logic"(x %x, y %y) : i1 {
    %u = halide.load %a[%x, %y] : !halide.buffer<f32, [16, 2]> to f32
    %v = halide.load %b[%x, %y] : !halide.buffer<f32, [16, 2], [2, 32]> to f32
    %eight = halide.const 8 : i32
    %true = halide.const 1 : i1
    %inf = halide.const inf : f32
    %1 = halide.lt %u, %v : f32
    %2 = halide.strict %1 : i1
    %3 = halide.le %x, %eight : i32
    %4 = halide.eq %y, %eight : i32
    %5 = halide.is_nan %u : f32
    %6 = halide.and %2, %3 : i1
    %7 = halide.or %4, %6 : i1
    %8 = halide.not %7 : i1
    %9 = halide.and %8, %true : i1
    %10 = halide.lt %v, %inf : f32
    %11 = halide.select %5, %10, %9 : i1
    halide.yield %11 : i1
  }
  halide.output %f in %smooth : !halide.func<f32, 2> in !halide.buffer<f32, [16, 2]>
  halide.output %g in %steps : !halide.func<f32, 2> in !halide.buffer<f32, [16, 2], [1, 24]>
  halide.output %h in %logic : !halide.func<i1, 2> in !halide.buffer<i1, [16, 2]>
  halide.schedule {
    halide.vectorize %f "x" by 8 : !halide.func<f32, 2>
    halide.vectorize %g "x" by 8 : !halide.func<f32, 2>
    halide.vectorize %h "x" by 8 : !halide.func<i1, 2>
  }
}

// Integers of all widths, Euclidean division, and constants at the edges of their types.
halide.pipeline @integers(%a: !halide.buffer<i8, [16]>, %b: !halide.buffer<i8, [16]>) to (%small: !halide.buffer<i8, [16]>, %large: !halide.buffer<i64, [16]>, %bytes: !halide.buffer<ui8, [16]>, %wide: !halide.buffer<ui64, [16]>) {
  %f = halide.func "small"(x %x) : i8 {
    %u = halide.load %a[%x] : !halide.buffer<i8, [16]> to i8
    %v = halide.load %b[%x] : !halide.buffer<i8, [16]> to i8
    %low = halide.const -128 : i8
    %1 = halide.div %u, %v : i8
    %2 = halide.mod %u, %v : i8
    %3 = halide.abs %v : i8
    %4 = halide.add %1, %2 : i8
    %5 = halide.sub %low, %3 : i8
    %6 = halide.mul %4, %5 : i8
    halide.yield %6 : i8
  }
  %g = halide.func "large"(x %x) : i64 {
    %u = halide.load %a[%x] : !halide.buffer<i8, [16]> to i8
    %1 = halide.cast %u : i8 to i64
    %big = halide.const -9223372036854775808 : i64
    %many = halide.const 1099511627776 : i64
    %2 = halide.mul %1, %many : i64
    %3 = halide.max %2, %big : i64
    %4 = halide.cast %x : i32 to i16
    %5 = halide.cast %4 : i16 to i64
    %6 = halide.add %3, %5 : i64
    halide.yield %6 : i64
  }
  %h = halide.func "bytes"(x %x) : ui8 {
    %u = halide.load %a[%x] : !halide.buffer<i8, [16]> to i8
    %c = halide.const 200 : ui8
    %1 = halide.cast %u : i8 to ui8
    %2 = halide.max %1, %c : ui8
    %3 = halide.const 65535 : ui16
    %4 = halide.cast %3 : ui16 to ui8
    %5 = halide.sub %4, %2 : ui8
    halide.yield %5 : ui8
  }
  %w = halide.func "wide"(x %x) : ui64 {
    %u = halide.load %a[%x] : !halide.buffer<i8, [16]> to i8
    %most = halide.const -1 : ui64
    %c = halide.const 4000000000 : ui32
    %1 = halide.cast %u : i8 to ui64
    %2 = halide.sub %most, %1 : ui64
    %3 = halide.cast %c : ui32 to ui64
    %4 = halide.div %2, %3 : ui64
    halide.yield %4 : ui64
  }
  halide.output %f in %small : !halide.func<i8, 1> in !halide.buffer<i8, [16]>
  halide.output %g in %large : !halide.func<i64, 1> in !halide.buffer<i64, [16]>
  halide.output %h in %bytes : !halide.func<ui8, 1> in !halide.buffer<ui8, [16]>
  halide.output %w in %wide : !halide.func<ui64, 1> in !halide.buffer<ui64, [16]>
}

// Double and half precision, and a sum into a scalar.
halide.pipeline @precisions(%a: !halide.buffer<f16, [32]>, %b: !halide.buffer<f64, [32]>) to (%halves: !halide.buffer<bf16, [32]>, %total: !halide.buffer<f64, []>) {
  %f = halide.func "halves"(x %x) : bf16 {
    %u = halide.load %a[%x] : !halide.buffer<f16, [32]> to f16
    %tenth = halide.const 0.1 : f16
    %1 = halide.mul %u, %tenth : f16
    %2 = halide.cast %1 : f16 to f32
    %3 = halide.cast %2 : f32 to bf16
    %four = halide.const 4.0 : bf16
    %4 = halide.add %3, %four : bf16
    halide.yield %4 : bf16
  }
  %s = halide.func "total"() : f64 {
    %tenth = halide.const 0.1 : f64
    halide.yield %tenth : f64
  }
  halide.update %s() over (r %r in 1 to 32) : !halide.func<f64, 0> {
    %old = halide.load %s[] : !halide.func<f64, 0> to f64
    %v = halide.load %b[%r] : !halide.buffer<f64, [32]> to f64
    %nan = halide.const nan : f64
    %is = halide.is_nan %v : f64
    %1 = halide.select %is, %nan, %v : f64
    %2 = halide.add %old, %1 : f64
    halide.yield %2 : f64
  }
  halide.output %f in %halves : !halide.func<bf16, 1> in !halide.buffer<bf16, [32]>
  halide.output %s in %total : !halide.func<f64, 0> in !halide.buffer<f64, []>
}

// A running maximum that keeps nan, and a func between outputs.
halide.pipeline @maximum(%a: !halide.buffer<f32, [16, 5]>) to (%most: !halide.buffer<f32, [16]>, %twice: !halide.buffer<f32, [16]>) {
  %m = halide.func "most"(x %x) : f32 {
    %low = halide.const -inf : f32
    halide.yield %low : f32
  }
  halide.update %m(x %x) over (r %r in 0 to 5) : !halide.func<f32, 1> {
    %old = halide.load %m[%x] : !halide.func<f32, 1> to f32
    %v = halide.load %a[%x, %r] : !halide.buffer<f32, [16, 5]> to f32
    %is = halide.eq %old, %old : f32
    %max = halide.max %old, %v : f32
    %new = halide.select %is, %max, %old : f32
    %strict = halide.strict %new : f32
    halide.yield %strict : f32
  }
  %t = halide.func "twice"(x %x) : f32 {
    %v = halide.load %m[%x] : !halide.func<f32, 1> to f32
    %d = halide.add %v, %v : f32
    halide.yield %d : f32
  }
  halide.output %m in %most : !halide.func<f32, 1> in !halide.buffer<f32, [16]>
  halide.output %t in %twice : !halide.func<f32, 1> in !halide.buffer<f32, [16]>
  halide.schedule {
    halide.vectorize %m "x" by 8 : !halide.func<f32, 1>
    halide.vectorize %m "x" by 8 {stage = 1} : !halide.func<f32, 1>
    halide.vectorize %t "x" by 8 : !halide.func<f32, 1>
  }
}

// Three whole stages in scratch memory: the first is given back while the second lives.
halide.pipeline @chain(%input: !halide.buffer<f32, [5000]>) to (%output: !halide.buffer<f32, [5000]>) {
  %first = halide.func "first"(x %x) : f32 {
    %v = halide.load %input[%x] : !halide.buffer<f32, [5000]> to f32
    %w = halide.mul %v, %v : f32
    halide.yield %w : f32
  }
  %second = halide.func "second"(x %x) : f32 {
    %v = halide.load %first[%x] : !halide.func<f32, 1> to f32
    %w = halide.add %v, %v : f32
    halide.yield %w : f32
  }
  %third = halide.func "third"(x %x) : f32 {
    %v = halide.load %second[%x] : !halide.func<f32, 1> to f32
    %w = halide.sqrt %v : f32
    halide.yield %w : f32
  }
  %last = halide.func "last"(x %x) : f32 {
    %v = halide.load %third[%x] : !halide.func<f32, 1> to f32
    %w = halide.mul %v, %v : f32
    halide.yield %w : f32
  }
  halide.output %last in %output : !halide.func<f32, 1> in !halide.buffer<f32, [5000]>
  halide.schedule {
    halide.compute_root %first : !halide.func<f32, 1>
    halide.compute_root %second : !halide.func<f32, 1>
    halide.compute_root %third : !halide.func<f32, 1>
  }
}

// Sums that fetch a line of what they add up before they need it.
halide.pipeline @ahead(%x: !halide.buffer<f32, [8, 64]>, %x_ahead: !halide.buffer<f32, [8, 64]>) to (%y: !halide.buffer<f32, [8]>) {
  %f = halide.func "f"(c %c) : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %f(c %c) over (k %k in 0 to 64) : !halide.func<f32, 1> {
    %old = halide.load %f[%c] : !halide.func<f32, 1> to f32
    %v = halide.load %x[%c, %k] : !halide.buffer<f32, [8, 64]> to f32
    %stride = halide.stride %x_ahead 1 : !halide.buffer<f32, [8, 64]>
    %end = halide.const 56 : i32
    %limit = halide.add %stride, %end : i32
    %within = halide.lt %k, %limit : i32
    %near = halide.likely %v : f32
    %first = halide.const 0 : i32
    %four = halide.const 4 : i32
    %block = halide.div %k, %four : i32
    %far = halide.load %x_ahead[%first, %block] : !halide.buffer<f32, [8, 64]> to f32
    %read = halide.select %within, %near, %far : f32
    %new = halide.add %old, %read : f32
    halide.yield %new : f32
  }
  halide.output %f in %y : !halide.func<f32, 1> in !halide.buffer<f32, [8]>
  halide.schedule {
    halide.split %f "k" to "kb", "kt" by 4 {stage = 1} : !halide.func<f32, 1>
    halide.prefetch %f "kb" of %x_ahead ahead by 0 of "kb" {stage = 1} : !halide.func<f32, 1> of !halide.buffer<f32, [8, 64]>
    halide.reorder %f ["c", "kt", "kb"] {stage = 1} : !halide.func<f32, 1>
    halide.vectorize %f "c" by 8 {stage = 1} : !halide.func<f32, 1>
    halide.unroll %f "kt" {stage = 1} : !halide.func<f32, 1>
  }
}
