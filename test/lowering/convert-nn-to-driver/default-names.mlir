// RUN: autodeploy-opt --convert-nn-to-driver %s | filecheck %s

// Without names the program is "model", its tensors are numbered past the names that are there.

func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32> {nn.name = "input0"}, %z: tensor<4xf32> {nn.name = ""}) -> (tensor<4xf32>, tensor<4xf32>) {
  func.return %x, %y : tensor<4xf32>, tensor<4xf32>
}

// CHECK:      driver.program @model inputs ["input1", "input0", "input2"] outputs ["output0", "output1"] {
