// RUN: autodeploy-opt '--convert-nn-to-driver=variant="x86-64-avx2"' %s | filecheck %s

// A program that is one of several says for which machine it is.

func.func @net(%x: tensor<2xf32>) -> tensor<2xf32> {
  func.return %x : tensor<2xf32>
}

// CHECK: driver.program @{{.*}} variant "x86-64-avx2" {
