// RUN: autodeploy-opt --flush-subnormal-weights %s | filecheck %s

// A value of equal elements keeps one element; one without elements stays.

func.func @main() {
  %w = nn.constant #nn.dense<1.0e-40 : tensor<1000x1000xf32>>
  %none = nn.constant #nn.dense<[] : tensor<0xf32>>
  func.return
}

// CHECK: %w = nn.constant #nn.dense<0.0 : tensor<1000x1000xf32>>
// CHECK: %none = nn.constant #nn.dense<[] : tensor<0xf32>>
