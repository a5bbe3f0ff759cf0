// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Where there is nothing to read, nothing is read.

func.func @f(%x: tensor<0x2xf32>) -> tensor<2x2xf32> {
  %y = nn.kernel(%x) : (tensor<0x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%x_: tensor<0x2xf32>):
    %v = nn.pad %x_ {pads = array<i64: 1, 0, 1, 0>, value = 0.5 : f64} : (tensor<0x2xf32>) -> tensor<2x2xf32>
    nn.yield %v : tensor<2x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}

// CHECK:      halide.pipeline @pad_0(%in0: !halide.buffer<f32, [2, 0]>) to (%result0: !halide.buffer<f32, [2, 2]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y) in [2, 2] : f32 {
// CHECK-NEXT:     %0 = halide.const 1 : i32
// CHECK-NEXT:     %1 = halide.sub %y, %0 : i32
// CHECK-NEXT:     %2 = halide.const 0 : i32
// CHECK-NEXT:     %3 = halide.le %2, %1 : i32
// CHECK-NEXT:     %4 = halide.lt %1, %2 : i32
// CHECK-NEXT:     %5 = halide.and %3, %4 : i1
// CHECK-NEXT:     %6 = halide.max %1, %2 : i32
// CHECK-NEXT:     %7 = halide.min %6, %2 : i32
// CHECK-NEXT:     %8 = halide.const 0.5 : f32
// CHECK-NEXT:     halide.yield %8 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [2, 2]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<0x2xf32>) -> tensor<2x2xf32> {
// CHECK-NEXT:   %y = nn.call @pad_0(%x) : (tensor<0x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<2x2xf32>
// CHECK-NEXT: }
