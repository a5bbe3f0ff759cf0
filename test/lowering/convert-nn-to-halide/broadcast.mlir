// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Axes of extent 1 are read at 0, missing ones not at all.

func.func @f(%x: tensor<2x3x4xf32>, %a: tensor<3x1xf32>, %s: tensor<f32>) -> tensor<2x3x4xf32> {
  %y = nn.kernel(%x, %a, %s) : (tensor<2x3x4xf32>, tensor<3x1xf32>, tensor<f32>) -> tensor<2x3x4xf32> {
  ^bb0(%x_: tensor<2x3x4xf32>, %a_: tensor<3x1xf32>, %s_: tensor<f32>):
    %u = nn.add %x_, %a_ : (tensor<2x3x4xf32>, tensor<3x1xf32>) -> tensor<2x3x4xf32>
    %v = nn.mul %u, %s_ : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3x4xf32>
    nn.yield %v : tensor<2x3x4xf32>
  }
  func.return %y : tensor<2x3x4xf32>
}

// CHECK:      halide.pipeline @add_mul_0(%in0: !halide.buffer<f32, [4, 3, 2]>, %in1: !halide.buffer<f32, [1, 3]>, %in2: !halide.buffer<f32, []>) to (%result0: !halide.buffer<f32, [4, 3, 2]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y, z %z) in [4, 3, 2] : f32 {
// CHECK-NEXT:     %0 = halide.load %in0[%x, %y, %z] : !halide.buffer<f32, [4, 3, 2]> to f32
// CHECK-NEXT:     %1 = halide.const 0 : i32
// CHECK-NEXT:     %2 = halide.load %in1[%1, %y] : !halide.buffer<f32, [1, 3]> to f32
// CHECK-NEXT:     %3 = halide.add %0, %2 : f32
// CHECK-NEXT:     %4 = halide.load %in2[] : !halide.buffer<f32, []> to f32
// CHECK-NEXT:     %5 = halide.mul %3, %4 : f32
// CHECK-NEXT:     halide.yield %5 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 3> in !halide.buffer<f32, [4, 3, 2]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<2x3x4xf32>, %a: tensor<3x1xf32>, %s: tensor<f32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT:   %y = nn.call @add_mul_0(%x, %a, %s) : (tensor<2x3x4xf32>, tensor<3x1xf32>, tensor<f32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
