// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Indices are permuted back.

func.func @f(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  %y = nn.kernel(%x) : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
  ^bb0(%x_: tensor<2x3x4xf32>):
    %v = nn.transpose %x_ {permutation = array<i64: 2, 0, 1>} : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    nn.yield %v : tensor<4x2x3xf32>
  }
  func.return %y : tensor<4x2x3xf32>
}

// CHECK:      halide.pipeline @transpose_0(%in0: !halide.buffer<f32, [4, 3, 2]>) to (%result0: !halide.buffer<f32, [3, 2, 4]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y, z %z) in [3, 2, 4] : f32 {
// CHECK-NEXT:     %0 = halide.load %in0[%z, %x, %y] : !halide.buffer<f32, [4, 3, 2]> to f32
// CHECK-NEXT:     halide.yield %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 3> in !halide.buffer<f32, [3, 2, 4]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
// CHECK-NEXT:   %y = nn.call @transpose_0(%x) : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT:   func.return %y : tensor<4x2x3xf32>
// CHECK-NEXT: }
