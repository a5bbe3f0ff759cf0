// RUN: autodeploy-opt %s --convert-nn-to-driver | filecheck %s

// The keys of columns stand with the program. What are no keys is left out.

// CHECK: driver.program @model inputs ["x"] outputs ["y", "z"] keys {{\[\[}}], ["a", "b"], []] {
func.func @main(%x: tensor<3x2xf32> {nn.name = "x"})
    -> (tensor<3x2xf32> {nn.name = "y", nn.keys = ["a", "b"]}, tensor<3x2xf32> {nn.name = "z", nn.keys = ["a", 2 : i64]}) {
  func.return %x, %x : tensor<3x2xf32>, tensor<3x2xf32>
}
