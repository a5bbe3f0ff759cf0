// RUN: autodeploy-opt %s --expand-for-c | filecheck %s

// Vectors have a power of two of lanes; the others of a row of the tile are unrolled.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {
  halide.pipeline @matmul_0(%in0: !halide.buffer<f32, [8, 4]>, %in1: !halide.buffer<f32, [24, 8]>) to (%result0: !halide.buffer<f32, [24, 4]>) config<gemm, tile = [24, 4], block = [1]> fast_math {
    %matmul = halide.func "matmul"(x %x, y %y) in [24, 4] : f32 {
      %0 = halide.const 0.0 : f32
      halide.yield %0 : f32
    }
    halide.update %matmul(x %x_1, y %y_1) over (k %k in 0 to 8) : !halide.func<f32, 2> {
      %1 = halide.load %matmul[%x_1, %y_1] : !halide.func<f32, 2> to f32
      %2 = halide.load %in1[%x_1, %k] : !halide.buffer<f32, [24, 8]> to f32
      %3 = halide.load %in0[%k, %y_1] : !halide.buffer<f32, [8, 4]> to f32
      %4 = halide.mul %3, %2 : f32
      %5 = halide.add %1, %4 : f32
      halide.yield %5 : f32
    }
    %out = halide.func "out"(x %x_2, y %y_2) in [24, 4] : f32 {
      %6 = halide.load %matmul[%x_2, %y_2] : !halide.func<f32, 2> to f32
      halide.yield %6 : f32
    }
    halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [24, 4]>
    halide.schedule {
      halide.split %out "x" to "no", "nt" by 24 : !halide.func<f32, 2>
      halide.split %out "y" to "mo", "mt" by 4 : !halide.func<f32, 2>
      halide.reorder %out ["nt", "mt", "mo", "no"] : !halide.func<f32, 2>
      halide.vectorize %out "nt" by 24 : !halide.func<f32, 2>
      halide.unroll %out "nt" : !halide.func<f32, 2>
      halide.unroll %out "mt" : !halide.func<f32, 2>
      halide.compute_at %matmul at %out "mo" : !halide.func<f32, 2> at !halide.func<f32, 2>
      halide.vectorize %matmul "x" by 8 : !halide.func<f32, 2>
      halide.unroll %matmul "x" : !halide.func<f32, 2>
      halide.unroll %matmul "y" : !halide.func<f32, 2>
      halide.reorder %matmul ["x", "y", "k"] {stage = 1 : i64} : !halide.func<f32, 2>
      halide.vectorize %matmul "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
      halide.unroll %matmul "x" {stage = 1 : i64} : !halide.func<f32, 2>
      halide.unroll %matmul "y" {stage = 1 : i64} : !halide.func<f32, 2>
    }
  }
  func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x24xf32>) -> tensor<4x24xf32> {
    %y = nn.call @matmul_0(%a, %b) : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
    func.return %y : tensor<4x24xf32>
  }
}

// CHECK:      halide.vectorize %out "nt" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "nt" : !halide.func<f32, 2>
