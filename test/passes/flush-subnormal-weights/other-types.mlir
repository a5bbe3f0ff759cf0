// RUN: autodeploy-opt --flush-subnormal-weights %s | filecheck %s

// Kernels compute with float16 in 32 bits, where its subnormal numbers are ordinary ones. The bits
// of integers mean something else.

func.func @main() {
  %half = nn.constant #nn.dense<[6.0e-8, 1.0] : tensor<2xf16>>
  %int = nn.constant #nn.dense<[1, -1] : tensor<2xi32>>
  func.return
}

// CHECK: %half = nn.constant #nn.dense<[6.0e-08, 1.0] : tensor<2xf16>>
// CHECK: %int = nn.constant #nn.dense<[1, -1] : tensor<2xi32>>
