// RUN: autodeploy-opt --convert-nn-to-driver=flush-subnormals=true %s | filecheck %s
// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s --check-prefix=KEPT

// The program says whether it takes subnormal numbers for zero.

func.func @main(%x: tensor<4xf32> {nn.name = "x"}) -> (tensor<4xf32> {nn.name = "y"}) {
  func.return %x : tensor<4xf32>
}

// CHECK: driver.program @model inputs ["x"] outputs ["y"] flush_subnormals {
// KEPT:  driver.program @model inputs ["x"] outputs ["y"] {
