// RUN: autodeploy-opt %s --convert-onnx-to-nn | filecheck %s

// A result whose extent depends on values has room for the most, and a number beside. Behind the
// results of the function are their extents; where an axis before that one has several elements,
// those that count are brought together.

// CHECK: func.func @main(%x: tensor<2x3xf32>, %c: tensor<2xi1>) -> (tensor<2x3xf32>, tensor<2x6xi64>, tensor<2xi64> {nn.shape_of = array<i64: 0, 0>}, tensor<2xi64> {nn.shape_of = array<i64: 1, 1>}) {
// CHECK: nn.library_call "select"(%{{.*}}) {checks} : (tensor<6xi1>) -> (tensor<6xi64>, tensor<1xi64>)
// CHECK: %[[TAKEN:.*]], %{{.*}} = nn.library_call "select"(%c) {checks} : (tensor<2xi1>) -> (tensor<2xi64>, tensor<1xi64>)
// CHECK: nn.gather %x, %[[TAKEN]]
// CHECK: nn.neg
// CHECK: nn.library_call "compact"(%{{.*}}, %{{.*}}) : (tensor<2x6x1xi64>, tensor<1xi64>) -> tensor<2x6x1xi64>
func.func @main(%x: tensor<2x3xf32>, %c: tensor<2xi1>) -> (tensor<?x3xf32>, tensor<2x?xi64>) {
  %places = "onnx.NonZero"(%x) : (tensor<2x3xf32>) -> tensor<2x?xi64>
  %taken = "onnx.Compress"(%x, %c) <{axis = 0 : i64}> : (tensor<2x3xf32>, tensor<2xi1>) -> tensor<?x3xf32>
  %y = "onnx.Neg"(%taken) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  func.return %y, %places : tensor<?x3xf32>, tensor<2x?xi64>
}
