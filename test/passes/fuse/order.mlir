// RUN: autodeploy-opt %s --fuse | filecheck %s

// One run takes the bias, then the normalisation, then the relu: a convolution that is in a kernel with
// its relu could take no normalisation.

// CHECK-LABEL: func.func @main
// CHECK-NOT:     nn.add
// CHECK-NOT:     nn.batch_norm
// CHECK:         nn.kernel(%x, %{{.*}}, %{{.*}})
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      nn.conv
// CHECK-NEXT:      nn.relu
// CHECK-NEXT:      nn.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @main(%x: tensor<1x1x2x2xf32>) -> tensor<1x2x2x2xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0] : tensor<2x1x1x1xf32>>
  %b = nn.constant #nn.dense<[3.0, 4.0] : tensor<2x1x1xf32>>
  %scale = nn.constant #nn.dense<[5.0, 6.0] : tensor<2xf32>>
  %shift = nn.constant #nn.dense<[7.0, 8.0] : tensor<2xf32>>
  %mean = nn.constant #nn.dense<[0.0, 1.0] : tensor<2xf32>>
  %variance = nn.constant #nn.dense<[1.0, 2.0] : tensor<2xf32>>
  %0 = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x2x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %1 = nn.add %0, %b : (tensor<1x2x2x2xf32>, tensor<2x1x1xf32>) -> tensor<1x2x2x2xf32>
  %2 = nn.batch_norm %1, %scale, %shift, %mean, %variance {epsilon = 1.0e-05 : f64} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  %3 = nn.relu %2 : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  func.return %3 : tensor<1x2x2x2xf32>
}
