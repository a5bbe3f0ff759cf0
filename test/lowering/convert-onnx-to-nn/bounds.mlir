// RUN: autodeploy-opt %s --split-input-file --convert-onnx-to-nn | filecheck %s

// A computed integer that has a bound is checked. What follows from it is a size: the range has room
// for twice as many elements, and the extent that a run finds is behind the results. What has the
// same number of elements is known to: nothing compares these numbers.

// CHECK-LABEL: func.func @main(%n: tensor<i64>)
// CHECK-SAME: -> (tensor<8xf32>, tensor<1xi64> {nn.shape_of = array<i64: 0, 0>})
// CHECK: %[[GIVEN:.*]] = nn.reshape %n : (tensor<i64>) -> tensor<1xi64>
// CHECK: %[[NAME:.*]] = nn.constant #nn.dense<[118, 97, 108, 117, 101, 32, 39, 116, 47, 110, 39, 0] : tensor<12xui8>>
// CHECK: %[[FOUND:.*]] = nn.library_call "bound"(%[[GIVEN]], %[[NAME]]) {parameters = array<i64: -4, 4>, checks}
// CHECK: %[[TWICE:.*]] = nn.mul %[[FOUND]]
// CHECK: nn.max %[[TWICE]]
// CHECK-NOT: "choose"
// CHECK: nn.broadcast
// CHECK: nn.add %{{.*}}, %{{.*}} : (tensor<8xf32>, tensor<8xf32>)
func.func @main(%n: tensor<i64>) -> tensor<?xf32> {
  %zero = nn.constant #nn.dense<0 : tensor<i64>>
  %one = nn.constant #nn.dense<1 : tensor<i64>>
  %two = nn.constant #nn.dense<2 : tensor<i64>>
  %half = nn.constant #nn.dense<[0.5] : tensor<1xf32>>
  %flat = nn.constant #nn.dense<[-1] : tensor<1xi64>>
  %t = "onnx.Identity"(%n) {nn.bound = 4 : i64, nn.name = "t/n"} : (tensor<i64>) -> tensor<i64>
  %twice = "onnx.Mul"(%t, %two) : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %k = "onnx.Range"(%zero, %twice, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %f = "onnx.Cast"(%k) <{to = 1 : i64}> : (tensor<?xi64>) -> tensor<?xf32>
  %s = "onnx.Shape"(%f) : (tensor<?xf32>) -> tensor<1xi64>
  %e = "onnx.Expand"(%half, %s) : (tensor<1xf32>, tensor<1xi64>) -> tensor<?xf32>
  %y = "onnx.Add"(%f, %e) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %y : tensor<?xf32>
}

// -----

// The bound of all is that of the integer itself, once for both sizes that follow from it.

// CHECK: func.func @main
// CHECK: "bound"({{.*}}) {parameters = array<i64: -3, 3>, checks}
// CHECK-NOT: "bound"({{.*}}) {parameters = array<i64: -3
// CHECK: func.return %{{.*}}, %{{.*}}, %{{.*}} : tensor<3x2xf32>, tensor<3xi64>, tensor<2xi64>, tensor<1xi64>
builtin.module attributes {nn.bound = 3 : i64} {
  func.func @main(%n: tensor<1xi64>) -> (tensor<?x2xf32>, tensor<?xi64>) {
    %zero = nn.constant #nn.dense<0 : tensor<i64>>
    %one = nn.constant #nn.dense<1 : tensor<i64>>
    %two = nn.constant #nn.dense<[2] : tensor<1xi64>>
    %axes = nn.constant #nn.dense<[0] : tensor<1xi64>>
    %shape = "onnx.Concat"(%n, %two) <{axis = 0 : i64}> : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %y = "onnx.ConstantOfShape"(%shape) : (tensor<2xi64>) -> tensor<?x2xf32>
    %t = "onnx.Squeeze"(%n, %axes) : (tensor<1xi64>, tensor<1xi64>) -> tensor<i64>
    %k = "onnx.Range"(%zero, %t, %one) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
    func.return %y, %k : tensor<?x2xf32>, tensor<?xi64>
  }
}
