// RUN: autodeploy-opt %s --verify-diagnostics

// A call names a symbol that is there.

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{'k' is no symbol in scope [call_c1]}}
  %0 = nn.call @k(%x) : (tensor<2xf32>) -> tensor<2xf32>
  func.return
}
