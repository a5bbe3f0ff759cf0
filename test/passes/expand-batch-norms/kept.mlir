// RUN: autodeploy-opt %s --expand-batch-norms | filecheck %s

// Near misses: a parameter is no constant; a factor is not finite; halves would lose digits.

func.func @f(%x: tensor<1x4x4x2xf32>, %p: tensor<2xf32>, %h: tensor<1x4x4x2xf16>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf16>) {
  %s = nn.constant #nn.dense<10.0 : tensor<2xf32>>
  %o = nn.constant #nn.dense<0.0 : tensor<2xf32>>
  %g = nn.constant #nn.dense<1.0 : tensor<2xf16>>
  %a = nn.batch_norm %x, %s, %s, %s, %p {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %b = nn.batch_norm %x, %s, %s, %s, %o {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %c = nn.batch_norm %h, %g, %g, %g, %g {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<1x4x4x2xf16>
  func.return %a, %b, %c : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>, tensor<1x4x4x2xf16>
}

// CHECK-COUNT-3: nn.batch_norm
// CHECK-NOT:     nn.mul
