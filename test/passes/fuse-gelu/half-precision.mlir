// RUN: autodeploy-opt %s --fuse-gelu | filecheck %s

// Constants are compared with the precision that their type has.

func.func @half(%x: tensor<8xf16>) -> tensor<8xf16> {
  %half = nn.constant #nn.dense<0.5 : tensor<f16>>
  %one = nn.constant #nn.dense<1.0 : tensor<f16>>
  %two = nn.constant #nn.dense<1.4142 : tensor<f16>>
  %q = nn.div %x, %two : (tensor<8xf16>, tensor<f16>) -> tensor<8xf16>
  %e = nn.erf %q : (tensor<8xf16>) -> tensor<8xf16>
  %t = nn.add %e, %one : (tensor<8xf16>, tensor<f16>) -> tensor<8xf16>
  %h = nn.mul %t, %x : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %p = nn.mul %half, %h : (tensor<f16>, tensor<8xf16>) -> tensor<8xf16>
  func.return %p : tensor<8xf16>
}

// CHECK:      func.func @half(%x: tensor<8xf16>) -> tensor<8xf16> {
// CHECK-NEXT:   %p = nn.gelu %x : (tensor<8xf16>) -> tensor<8xf16>
// CHECK-NEXT:   func.return %p : tensor<8xf16>
// CHECK-NEXT: }
