// RUN: autodeploy-opt %s --convert-onnx-to-nn | filecheck %s

// A loop that may end early has room for a row of each step, and carries the number of its steps.
// Rows behind that are zeros, as what is left out by the end of the loop is not written.

// CHECK: %[[NONE:.*]] = nn.constant #nn.dense<[0] : tensor<1xi64>>
// CHECK: %{{.*}}, %{{.*}}, %[[COUNT:.*]], %[[ROWS:.*]] = nn.for steps 4 while from (%{{.*}}, %x, %[[NONE]]) over () with () {backwards = array<i64: 0>}
// CHECK: ^bb0(%{{.*}}: tensor<i64>, %{{.*}}: tensor<i1>, %{{.*}}: tensor<f32>, %[[NUMBER:.*]]: tensor<1xi64>):
// CHECK:   %[[NEXT:.*]] = nn.add %[[NUMBER]]
// CHECK:   nn.yield %{{.*}}, %{{.*}}, %[[NEXT]], %{{.*}} : tensor<i1>, tensor<f32>, tensor<1xi64>, tensor<f32>
// CHECK: %[[LESS:.*]] = nn.less
// CHECK: %[[FILLED:.*]] = nn.where %[[LESS]], %[[ROWS]]
// CHECK: func.return %[[FILLED]], %{{.*}} : tensor<4xf32>, tensor<1xi64>
func.func @main(%x: tensor<f32>) -> tensor<?xf32> {
  %trips = nn.constant #nn.dense<4 : tensor<i64>>
  %yes = nn.constant #nn.dense<1 : tensor<i1>>
  %limit = nn.constant #nn.dense<10.0 : tensor<f32>>
  %end, %rows = "onnx.Loop"(%trips, %yes, %x) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %a: tensor<f32>):
    %s = "onnx.Add"(%a, %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %go = "onnx.Less"(%s, %limit) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "onnx.yield"(%go, %s, %s) : (tensor<i1>, tensor<f32>, tensor<f32>) -> ()
  }) : (tensor<i64>, tensor<i1>, tensor<f32>) -> (tensor<f32>, tensor<?xf32>)
  func.return %rows : tensor<?xf32>
}
