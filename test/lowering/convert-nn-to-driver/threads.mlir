// RUN: autodeploy-opt --set-machine=machine=x86-64:cores=4 --convert-nn-to-driver %s | filecheck %s
// RUN: autodeploy-opt --set-machine=machine=x86-64 --convert-nn-to-driver %s | filecheck %s --check-prefix=ONE
// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s --check-prefix=ONE

// The program may be asked for as many threads as the machine has cores; one goes without saying.

func.func @main(%x: tensor<4xf32> {nn.name = "x"}) -> (tensor<4xf32> {nn.name = "y"}) {
  func.return %x : tensor<4xf32>
}

// CHECK: driver.program @model inputs ["x"] outputs ["y"] threads 4 {
// ONE:   driver.program @model inputs ["x"] outputs ["y"] {
