// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Ops on a sequence choose among values: none of them is left. A sequence that a function returns
// becomes its elements, and what an If gives is chosen element by element. The first region of an If
// is its else branch.

// CHECK: func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>, %c: tensor<i1>) -> (tensor<3xf32> {nn.name = "list_0"}, tensor<2xf32> {nn.name = "list_1"}, tensor<2xf32> {nn.name = "last"}) {
// CHECK-NEXT: %[[SUM:.*]] = nn.add %x, %x
// CHECK-NEXT: %[[FIRST:.*]], %[[SECOND:.*]] = nn.if %c with (%y, %[[SUM]], %x)
// CHECK-NEXT: (%[[Y:.*]]: tensor<3xf32>, %[[S:.*]]: tensor<2xf32>, %{{.*}}: tensor<2xf32>)
// CHECK-NEXT: nn.yield %[[Y]], %[[S]]
// CHECK-NEXT: else
// CHECK-NEXT: (%[[Y:.*]]: tensor<3xf32>, %{{.*}}: tensor<2xf32>, %[[X:.*]]: tensor<2xf32>)
// CHECK-NEXT: nn.yield %[[Y]], %[[X]]
// CHECK-NEXT: }
// CHECK-NEXT: func.return %[[FIRST]], %[[SECOND]], %[[SUM]]

func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>, %c: tensor<i1>) -> (!onnx.sequence<tensor<?xf32>> {nn.name = "list"}, tensor<?xf32> {nn.name = "last"}) {
  %0 = "onnx.Add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = "onnx.SequenceConstruct"(%y, %0) : (tensor<3xf32>, tensor<2xf32>) -> !onnx.sequence<tensor<?xf32>>
  %2 = nn.constant #nn.dense<-1 : tensor<i64>>
  %3 = "onnx.SequenceAt"(%1, %2) : (!onnx.sequence<tensor<?xf32>>, tensor<i64>) -> tensor<?xf32>
  %4 = "onnx.If"(%c) ({
    %5 = "onnx.SequenceErase"(%1, %2) : (!onnx.sequence<tensor<?xf32>>, tensor<i64>) -> !onnx.sequence<tensor<?xf32>>
    %6 = "onnx.SequenceInsert"(%5, %x) : (!onnx.sequence<tensor<?xf32>>, tensor<2xf32>) -> !onnx.sequence<tensor<?xf32>>
    "onnx.yield"(%6) : (!onnx.sequence<tensor<?xf32>>) -> ()
  }, {
    "onnx.yield"(%1) : (!onnx.sequence<tensor<?xf32>>) -> ()
  }) : (tensor<i1>) -> !onnx.sequence<tensor<?xf32>>
  func.return %4, %3 : !onnx.sequence<tensor<?xf32>>, tensor<?xf32>
}
