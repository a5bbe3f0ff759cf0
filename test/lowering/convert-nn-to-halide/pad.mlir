// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Coordinates are clamped before they are used, so nothing outside is read.

func.func @f(%x: tensor<5x4xf32>) -> tensor<6x4xf32> {
  %y = nn.kernel(%x) : (tensor<5x4xf32>) -> tensor<6x4xf32> {
  ^bb0(%x_: tensor<5x4xf32>):
    %v = nn.pad %x_ {pads = array<i64: 1, 0, 0, 0>, value = 0.5 : f64} : (tensor<5x4xf32>) -> tensor<6x4xf32>
    nn.yield %v : tensor<6x4xf32>
  }
  func.return %y : tensor<6x4xf32>
}

// CHECK:      halide.pipeline @pad_0(%in0: !halide.buffer<f32, [4, 5]>) to (%result0: !halide.buffer<f32, [4, 6]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y) in [4, 6] : f32 {
// CHECK-NEXT:     %0 = halide.const 1 : i32
// CHECK-NEXT:     %1 = halide.sub %y, %0 : i32
// CHECK-NEXT:     %2 = halide.const 0 : i32
// CHECK-NEXT:     %3 = halide.le %2, %1 : i32
// CHECK-NEXT:     %4 = halide.const 5 : i32
// CHECK-NEXT:     %5 = halide.lt %1, %4 : i32
// CHECK-NEXT:     %6 = halide.and %3, %5 : i1
// CHECK-NEXT:     %7 = halide.max %1, %2 : i32
// CHECK-NEXT:     %8 = halide.const 4 : i32
// CHECK-NEXT:     %9 = halide.min %7, %8 : i32
// CHECK-NEXT:     %10 = halide.const 0.5 : f32
// CHECK-NEXT:     %11 = halide.load %in0[%x, %9] : !halide.buffer<f32, [4, 5]> to f32
// CHECK-NEXT:     %12 = halide.likely %11 : f32
// CHECK-NEXT:     %13 = halide.select %6, %12, %10 : f32
// CHECK-NEXT:     halide.yield %13 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [4, 6]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<5x4xf32>) -> tensor<6x4xf32> {
// CHECK-NEXT:   %y = nn.call @pad_0(%x) : (tensor<5x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT:   func.return %y : tensor<6x4xf32>
// CHECK-NEXT: }
