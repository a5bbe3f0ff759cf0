// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// The fold keeps its axes as extent 1; the result drops them.

func.func @f(%x: tensor<2x3x3xf32>) -> tensor<3xf32> {
  %y = nn.kernel(%x) : (tensor<2x3x3xf32>) -> tensor<3xf32> {
  ^bb0(%x_: tensor<2x3x3xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction sum>, axes = array<i64: 0, 2>} : (tensor<2x3x3xf32>) -> tensor<3xf32>
    nn.yield %v : tensor<3xf32>
  }
  func.return %y : tensor<3xf32>
}

// CHECK:      halide.pipeline @reduce_0(%in0: !halide.buffer<f32, [3, 3, 2]>) to (%result0: !halide.buffer<f32, [3]>) {
// CHECK-NEXT:   %reduce_sum = halide.func "reduce_sum"(x %x, y %y, z %z) in [1, 3, 1] : f32 {
// CHECK-NEXT:     %0 = halide.const 0.0 : f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.update %reduce_sum(x %x_1, y %y_1, z %z_1) over (r2 %r2 in 0 to 3, r0 %r0 in 0 to 2) : !halide.func<f32, 3> {
// CHECK-NEXT:     %1 = halide.load %reduce_sum[%x_1, %y_1, %z_1] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     %2 = halide.load %in0[%r2, %y_1, %r0] : !halide.buffer<f32, [3, 3, 2]> to f32
// CHECK-NEXT:     %3 = halide.add %1, %2 : f32
// CHECK-NEXT:     halide.yield %3 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   %out = halide.func "out"(x %x_2) in [3] : f32 {
// CHECK-NEXT:     %4 = halide.const 0 : i32
// CHECK-NEXT:     %5 = halide.load %reduce_sum[%4, %x_2, %4] : !halide.func<f32, 3> to f32
// CHECK-NEXT:     halide.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [3]>
// CHECK-NEXT: }
