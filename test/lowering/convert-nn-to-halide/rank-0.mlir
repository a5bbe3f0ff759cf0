// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// A tensor of rank 0 is a func without variables.

func.func @f(%x: tensor<f32>) -> tensor<f32> {
  %y = nn.kernel(%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%x_: tensor<f32>):
    %v = nn.neg %x_ : (tensor<f32>) -> tensor<f32>
    nn.yield %v : tensor<f32>
  }
  func.return %y : tensor<f32>
}

// CHECK:      halide.pipeline @neg_0(%in0: !halide.buffer<f32, []>) to (%result0: !halide.buffer<f32, []>) {
// CHECK-NEXT:   %out = halide.func "out"() in [] : f32 {
// CHECK-NEXT:     %0 = halide.load %in0[] : !halide.buffer<f32, []> to f32
// CHECK-NEXT:     %1 = halide.const -1.0 : f32
// CHECK-NEXT:     %2 = halide.mul %0, %1 : f32
// CHECK-NEXT:     halide.yield %2 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   halide.output %out in %result0 : !halide.func<f32, 0> in !halide.buffer<f32, []>
// CHECK-NEXT: }

// CHECK:      func.func @f(%x: tensor<f32>) -> tensor<f32> {
// CHECK-NEXT:   %y = nn.call @neg_0(%x) : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT:   func.return %y : tensor<f32>
// CHECK-NEXT: }
