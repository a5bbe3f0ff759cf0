// RUN: autodeploy-opt --set-machine=machine=cortex-m4:cores=2 --convert-nn-to-driver %s | filecheck %s
// RUN: autodeploy-opt --set-machine=machine=cortex-m4 --convert-nn-to-driver --place-weights %s | filecheck %s --check-prefix=PLACED

// A machine without an operating system has one thread, and no file for the weights.

func.func @main(%x: tensor<4xf32> {nn.name = "x"}) -> (tensor<4xf32> {nn.name = "y"}) {
  func.return %x : tensor<4xf32>
}

// CHECK:  driver.program @model inputs ["x"] outputs ["y"] freestanding {
// PLACED: driver.program @model inputs ["x"] outputs ["y"] weights 0 embedded freestanding {
