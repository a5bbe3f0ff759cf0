// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// A program knows of which elements its bytes are.

func.func @main(%x: tensor<2xui8> {nn.name = "x", nn.stored = tensor<3xi4>}, %z: tensor<2xf32>) -> (tensor<2xui8> {nn.name = "y", nn.stored = tensor<2xf8E5M2>}) {
  func.return %x : tensor<2xui8>
}

// CHECK: driver.program @model inputs ["x", "input0"] outputs ["y"] stored [tensor<3xi4>, tensor<2xf32>, tensor<2xf8E5M2>] {
