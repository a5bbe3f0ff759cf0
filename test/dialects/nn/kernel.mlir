// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A kernel: its region's arguments are its operands; constants may stand inside.

func.func @f(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x2x2xf32> {
  %y = nn.kernel(%x, %w, %b) {config = #nn.config<direct_conv>} : (tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32> {
  ^bb0(%i: tensor<1x1x4x4xf32>, %f: tensor<2x1x3x3xf32>, %c: tensor<2xf32>):
    %half = nn.constant #nn.dense<0.5 : tensor<f32>>
    %conv = nn.conv %i, %f, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
    %scaled = nn.mul %conv, %half : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
    nn.yield %scaled : tensor<1x2x2x2xf32>
  }
  func.return %y : tensor<1x2x2x2xf32>
}

// CHECK:      func.func @f(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>, %b: tensor<2xf32>) -> tensor<1x2x2x2xf32> {
// CHECK-NEXT:   %y = nn.kernel(%x, %w, %b) {config = #nn.config<direct_conv>} : (tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32> {
// CHECK-NEXT:   ^bb0(%i: tensor<1x1x4x4xf32>, %f: tensor<2x1x3x3xf32>, %c: tensor<2xf32>):
// CHECK-NEXT:     %half = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:     %conv = nn.conv %i, %f, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT:     %scaled = nn.mul %conv, %half : (tensor<1x2x2x2xf32>, tensor<f32>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT:     nn.yield %scaled : tensor<1x2x2x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<1x2x2x2xf32>
// CHECK-NEXT: }
