// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// The row-major number of the place, taken apart by the extents of the operand. The columns stay.

func.func @f(%x: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  %y = nn.kernel(%x) : (tensor<2x3x4xf32>) -> tensor<6x4xf32> {
  ^bb0(%x_: tensor<2x3x4xf32>):
    %v = nn.reshape %x_ : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
    nn.yield %v : tensor<6x4xf32>
  }
  func.return %y : tensor<6x4xf32>
}

// CHECK:      halide.pipeline @reshape_0(%in0: !halide.buffer<f32, [4, 3, 2]>) to (%result0: !halide.buffer<f32, [4, 6]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y) in [4, 6] : f32 {
// CHECK-NEXT:     %0 = halide.const 3 : i32
// CHECK-NEXT:     %1 = halide.mod %y, %0 : i32
// CHECK-NEXT:     %2 = halide.div %y, %0 : i32
// CHECK-NEXT:     %3 = halide.load %in0[%x, %1, %2] : !halide.buffer<f32, [4, 3, 2]> to f32
// CHECK-NEXT:     halide.yield %3 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [4, 6]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<2x3x4xf32>) -> tensor<6x4xf32> {
// CHECK-NEXT:   %y = nn.call @reshape_0(%x) : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT:   func.return %y : tensor<6x4xf32>
// CHECK-NEXT: }
