// RUN: autodeploy-opt %s --convert-nn-to-driver | filecheck %s

// A result that holds the extents of another one is an output that the caller does not know.

// CHECK: driver.program @model inputs ["c"] outputs ["y", "output0"] shapes_of [array<i64: 0, 0>]
func.func @main(%c: tensor<4xi1> {nn.name = "c"})
    -> (tensor<4xi64> {nn.name = "y"}, tensor<1xi64> {nn.shape_of = array<i64: 0, 0>}) {
  %numbers, %count = nn.library_call "select"(%c) {checks} : (tensor<4xi1>) -> (tensor<4xi64>, tensor<1xi64>)
  func.return %numbers, %count : tensor<4xi64>, tensor<1xi64>
}
