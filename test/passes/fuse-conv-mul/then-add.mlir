// RUN: autodeploy-opt %s --fuse | filecheck %s

// A normalisation that was exported as a product and a sum goes into filter and bias.

// CHECK:      %0 = nn.constant #nn.dense<[2.0, 4.0, 9.0, 12.0, 20.0, 24.0] : tensor<3x2x1x1xf32>>
// CHECK-NEXT: %1 = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
// CHECK-NEXT: %r = nn.kernel(%x, %0, %1)
// CHECK-NEXT: ^bb0
// CHECK-NEXT:   nn.conv
// CHECK-NEXT:   nn.clip
// CHECK-NEXT:   nn.yield
// CHECK-NEXT: }
// CHECK-NEXT: func.return %r
func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<3x2x1x1xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3x1x1xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<1x3x1x1xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<3x2x1x1xf32>) -> tensor<1x3x4x4xf32>
  %p = nn.mul %y, %scale : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  %s = nn.add %shift, %p : (tensor<1x3x1x1xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %r = nn.clip %s {min = 0.0 : f64, max = 6.0 : f64} : (tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  func.return %r : tensor<1x3x4x4xf32>
}
