// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Each operand is read at its own place, clamped; an empty one takes no part.

func.func @f(%x: tensor<2x3xf32>, %e: tensor<2x0xf32>, %z: tensor<2x1xf32>) -> tensor<2x4xf32> {
  %y = nn.kernel(%x, %e, %z) : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x1xf32>) -> tensor<2x4xf32> {
  ^bb0(%x_: tensor<2x3xf32>, %e_: tensor<2x0xf32>, %z_: tensor<2x1xf32>):
    %v = nn.concat %x_, %e_, %z_ {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
    nn.yield %v : tensor<2x4xf32>
  }
  func.return %y : tensor<2x4xf32>
}

// CHECK:      halide.pipeline @concat_0(%in0: !halide.buffer<f32, [3, 2]>, %in1: !halide.buffer<f32, [0, 2]>, %in2: !halide.buffer<f32, [1, 2]>) to (%result0: !halide.buffer<f32, [4, 2]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y) in [4, 2] : f32 {
// CHECK-NEXT:     %0 = halide.const 3 : i32
// CHECK-NEXT:     %1 = halide.sub %x, %0 : i32
// CHECK-NEXT:     %2 = halide.const 0 : i32
// CHECK-NEXT:     %3 = halide.max %1, %2 : i32
// CHECK-NEXT:     %4 = halide.min %3, %2 : i32
// CHECK-NEXT:     %5 = halide.load %in2[%4, %y] : !halide.buffer<f32, [1, 2]> to f32
// CHECK-NEXT:     %6 = halide.max %x, %2 : i32
// CHECK-NEXT:     %7 = halide.const 2 : i32
// CHECK-NEXT:     %8 = halide.min %6, %7 : i32
// CHECK-NEXT:     %9 = halide.load %in0[%8, %y] : !halide.buffer<f32, [3, 2]> to f32
// CHECK-NEXT:     %10 = halide.lt %x, %0 : i32
// CHECK-NEXT:     %11 = halide.select %10, %9, %5 : f32
// CHECK-NEXT:     halide.yield %11 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [4, 2]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<2x3xf32>, %e: tensor<2x0xf32>, %z: tensor<2x1xf32>) -> tensor<2x4xf32> {
// CHECK-NEXT:   %y = nn.call @concat_0(%x, %e, %z) : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
// CHECK-NEXT:   func.return %y : tensor<2x4xf32>
// CHECK-NEXT: }
