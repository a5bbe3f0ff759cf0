// RUN: autodeploy-opt %s --form-kernels --convert-nn-to-halide | filecheck %s

// A reflection goes there and back, an edge is clamped, a wrap is a remainder.

func.func @reflect(%x: tensor<4xf32>) -> tensor<9xf32> {
  %y = nn.pad %x {pads = array<i64: 3, 2>, mode = #nn<pad_mode reflect>} : (tensor<4xf32>) -> tensor<9xf32>
  func.return %y : tensor<9xf32>
}

func.func @edge(%x: tensor<4x2xf32>) -> tensor<5x2xf32> {
  %y = nn.pad %x {pads = array<i64: 1, 0, 0, 0>, mode = #nn<pad_mode edge>} : (tensor<4x2xf32>) -> tensor<5x2xf32>
  func.return %y : tensor<5x2xf32>
}

func.func @wrap(%x: tensor<4xf32>) -> tensor<9xf32> {
  %y = nn.pad %x {pads = array<i64: 3, 2>, mode = #nn<pad_mode wrap>} : (tensor<4xf32>) -> tensor<9xf32>
  func.return %y : tensor<9xf32>
}

// CHECK:      halide.pipeline @pad_0(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [9]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x) in [9] : f32 {
// CHECK-NEXT:     %0 = halide.const 3 : i32
// CHECK-NEXT:     %1 = halide.sub %x, %0 : i32
// CHECK-NEXT:     %2 = halide.const 6 : i32
// CHECK-NEXT:     %3 = halide.mod %1, %2 : i32
// CHECK-NEXT:     %4 = halide.sub %3, %0 : i32
// CHECK-NEXT:     %5 = halide.abs %4 : i32
// CHECK-NEXT:     %6 = halide.sub %0, %5 : i32
// CHECK-NEXT:     %7 = halide.load %in0[%6] : !halide.buffer<f32, [4]> to f32
// CHECK-NEXT:     halide.yield %7 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [9]>
// CHECK-NEXT: }

// CHECK:      halide.pipeline @pad_1(%in0: !halide.buffer<f32, [2, 4]>) to (%result0: !halide.buffer<f32, [2, 5]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x, y %y) in [2, 5] : f32 {
// CHECK-NEXT:     %0 = halide.const 1 : i32
// CHECK-NEXT:     %1 = halide.sub %y, %0 : i32
// CHECK-NEXT:     %2 = halide.const 0 : i32
// CHECK-NEXT:     %3 = halide.max %1, %2 : i32
// CHECK-NEXT:     %4 = halide.const 3 : i32
// CHECK-NEXT:     %5 = halide.min %3, %4 : i32
// CHECK-NEXT:     %6 = halide.load %in0[%x, %5] : !halide.buffer<f32, [2, 4]> to f32
// CHECK-NEXT:     halide.yield %6 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 2> in !halide.buffer<f32, [2, 5]>
// CHECK-NEXT: }

// CHECK:      halide.pipeline @pad_2(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [9]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x) in [9] : f32 {
// CHECK-NEXT:     %0 = halide.const 3 : i32
// CHECK-NEXT:     %1 = halide.sub %x, %0 : i32
// CHECK-NEXT:     %2 = halide.const 4 : i32
// CHECK-NEXT:     %3 = halide.mod %1, %2 : i32
// CHECK-NEXT:     %4 = halide.load %in0[%3] : !halide.buffer<f32, [4]> to f32
// CHECK-NEXT:     halide.yield %4 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [9]>
// CHECK-NEXT: }
