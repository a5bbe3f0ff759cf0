// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Start and step; no arithmetic where they are 0 and 1.

func.func @f(%x: tensor<5x6x4xf32>) -> tensor<2x3x4xf32> {
  %y = nn.kernel(%x) : (tensor<5x6x4xf32>) -> tensor<2x3x4xf32> {
  ^bb0(%x_: tensor<5x6x4xf32>):
    %v = nn.slice %x_ {starts = array<i64: 4, 1, 0>, sizes = array<i64: 2, 3, 4>, steps = array<i64: -2, 1, 1>} : (tensor<5x6x4xf32>) -> tensor<2x3x4xf32>
    nn.yield %v : tensor<2x3x4xf32>
  }
  func.return %y : tensor<2x3x4xf32>
}

// CHECK:      halide.pipeline @slice_0(%in0: !halide.buffer<f32, [4, 6, 5]>) to (%result0: !halide.buffer<f32, [4, 3, 2]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y, z %z) in [4, 3, 2] : f32 {
// CHECK-NEXT:     %0 = halide.const -2 : i32
// CHECK-NEXT:     %1 = halide.mul %z, %0 : i32
// CHECK-NEXT:     %2 = halide.const 4 : i32
// CHECK-NEXT:     %3 = halide.add %1, %2 : i32
// CHECK-NEXT:     %4 = halide.const 1 : i32
// CHECK-NEXT:     %5 = halide.add %y, %4 : i32
// CHECK-NEXT:     %6 = halide.load %in0[%x, %5, %3] : !halide.buffer<f32, [4, 6, 5]> to f32
// CHECK-NEXT:     halide.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 3> in !halide.buffer<f32, [4, 3, 2]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<5x6x4xf32>) -> tensor<2x3x4xf32> {
// CHECK-NEXT:   %y = nn.call @slice_0(%x) : (tensor<5x6x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3x4xf32>
// CHECK-NEXT: }
