// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// Names that are no ASCII are spelled in it: text holds no others.

builtin.module attributes {nn.model = "é"} {
  func.func @main(%x: tensor<4xf32> {nn.name = "größe"}) -> (tensor<4xf32> {nn.name = "\E5\90\8D"}) {
    func.return %x : tensor<4xf32>
  }
}

// CHECK: driver.program @"\\xe9" inputs ["gr\\xf6\\xdfe"] outputs ["\\u540d"] {
