// RUN: autodeploy-opt --convert-nn-to-driver=threads=4 %s | filecheck %s
// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s --check-prefix=ONE
// RUN: not autodeploy-opt --convert-nn-to-driver=threads=0 %s 2>&1 | filecheck %s --check-prefix=NONE

// The program says how many threads it may be asked to use; one goes without saying.

func.func @main(%x: tensor<4xf32> {nn.name = "x"}) -> (tensor<4xf32> {nn.name = "y"}) {
  func.return %x : tensor<4xf32>
}

// CHECK: driver.program @model inputs ["x"] outputs ["y"] threads 4 {
// ONE:   driver.program @model inputs ["x"] outputs ["y"] {
// NONE:  threads are at least 1, found 0
