// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// A number that is known is the first operand of the max, and no test is needed.

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%x_: tensor<4xf32>):
    %e = nn.constant #nn.dense<0.5 : tensor<f32>>
    %v = nn.max %x_, %e : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    nn.yield %v : tensor<4xf32>
  }
  func.return %y : tensor<4xf32>
}

// CHECK:      halide.pipeline @max_0(%in0: !halide.buffer<f32, [4]>) to (%result0: !halide.buffer<f32, [4]>) {
// CHECK-NEXT:   %out = halide.func "out"(x %x) in [4] : f32 {
// CHECK-NEXT:     %0 = halide.load %in0[%x] : !halide.buffer<f32, [4]> to f32
// CHECK-NEXT:     %1 = halide.const 0.5 : f32
// CHECK-NEXT:     %2 = halide.max %1, %0 : f32
// CHECK-NEXT:     halide.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 1> in !halide.buffer<f32, [4]>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   %y = nn.call @max_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:   func.return %y : tensor<4xf32>
// CHECK-NEXT: }
