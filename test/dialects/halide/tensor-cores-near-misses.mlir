// RUN: sed 's/const 0.0/const 1.0/' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=C1
// RUN: sed 's/%ab = halide.mul/%ab = halide.add/' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=C1
// RUN: sed '/%v = /s/%m, ../%m, %m/' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=PASSED
// RUN: sed 's/\bf32/f16/g' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=TYPE
// RUN: sed 's/halide.add %first, %k/halide.max %first, %k/' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=PLACE
// RUN: sed 's/0 to 12/2 to 12/' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=BEGIN
// RUN: sed '/%a = /s/%m/%n/' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=FACTORS
// RUN: sed 's/"tf32"/"f8"/' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=ELEMENT
// RUN: sed 's/64 by 32/128 by 128/' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=TILE
// RUN: sed 's/64 by 32/48 by 32/' %s | not autodeploy-opt 2>&1 | filecheck %s --check-prefix=EDGE

// What tensor cores compute is a func that passes on sums of products of 32-bit floats, from 0 on.

halide.pipeline @p(%x: !halide.buffer<f32, [24, 20]>, %w: !halide.buffer<f32, [40, 24]>) to (%y: !halide.buffer<f32, [40, 20]>) on_device {
  %part = halide.func "part"(n %n, m %m, p %p) in [40, 20, 2] : f32 {
    %zero = halide.const 0.0 : f32
    halide.yield %zero : f32
  }
  halide.update %part(n %n, m %m, p %p) over (k %k in 0 to 12) : !halide.func<f32, 3> {
    %old = halide.load %part[%n, %m, %p] : !halide.func<f32, 3> to f32
    %steps = halide.const 12 : i32
    %first = halide.mul %p, %steps : i32
    %step = halide.add %first, %k : i32
    %a = halide.load %x[%step, %m] : !halide.buffer<f32, [24, 20]> to f32
    %b = halide.load %w[%n, %step] : !halide.buffer<f32, [40, 24]> to f32
    %ab = halide.mul %a, %b : f32
    %new = halide.add %old, %ab : f32
    halide.yield %new : f32
  }
  %sums = halide.func "sums"(n %n, m %m, p %p) in [40, 20, 2] : f32 {
    %v = halide.load %part[%n, %m, %p] : !halide.func<f32, 3> to f32
    halide.yield %v : f32
  }
  %out = halide.func "out"(n %n, m %m) : f32 {
    %i = halide.const 0 : i32
    %j = halide.const 1 : i32
    %c = halide.load %sums[%n, %m, %i] : !halide.func<f32, 3> to f32
    %d = halide.load %sums[%n, %m, %j] : !halide.func<f32, 3> to f32
    %e = halide.add %c, %d : f32
    halide.yield %e : f32
  }
  halide.output %out in %y : !halide.func<f32, 2> in !halide.buffer<f32, [40, 20]>
  halide.schedule {
    halide.tensor_cores %sums "tf32" in 64 by 32 : !halide.func<f32, 3>
  }
}

// C1: tensor cores compute sums of products, from 0 on [tensor_c1]
// PASSED: tensor cores compute a func that passes on sums [tensor_c1]
// TYPE: factors are loaded as f32, found f16 [tensor_c2]
// PLACE: the place of a factor is no sum of variables by constants [tensor_c2]
// BEGIN: a sum begins with step 0 [tensor_c2]
// FACTORS: a factor varies along columns, and the other one along rows [tensor_c3]
// ELEMENT: factors are tf32, f16, bf16, found f8 [tensor_c4]
// TILE: no block computes a tile of 128 by 128 [tensor_c4]
// EDGE: no block computes a tile of 48 by 32 [tensor_c4]
