// RUN: autodeploy-opt %s --convert-nn-to-driver | filecheck %s

// The defaults of inputs stand with the program. What is no value is left out.

// CHECK: driver.program @model inputs ["x", "k", "l"] outputs ["y"] defaults [unit, #nn.dense<[2.0] : tensor<1xf32>>, unit] {
func.func @main(%x: tensor<3xf32> {nn.name = "x"}, %k: tensor<1xf32> {nn.name = "k", nn.default = #nn.dense<[2.0] : tensor<1xf32>>},
    %l: tensor<1xf32> {nn.name = "l", nn.default = 2.0 : f32}) -> (tensor<3xf32> {nn.name = "y"}) {
  func.return %x : tensor<3xf32>
}
