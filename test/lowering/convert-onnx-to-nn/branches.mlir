// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// No run can take a branch that ONNX's inference refuses for these shapes: the program ends with an
// error there. The region of the branch that is taken where the condition fails comes first. What it hands out has the types of the other branch.
// CHECK-LABEL: func.func @one
// CHECK:      %[[Y:.*]] = nn.if %c with (%x, %y) : tensor<i1>, (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<3x2xf32> {
// CHECK:        nn.transpose
// CHECK:      } else {
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<2x3xf32>, %{{.*}}: tensor<4x5xf32>):
// CHECK-NEXT:   %[[FOUND:.*]] = nn.constant #nn.dense<[0] : tensor<1xi64>>
// CHECK-NEXT:   %[[ALLOWED:.*]] = nn.constant #nn.dense<[1] : tensor<1x1xi64>>
// CHECK-NEXT:   nn.library_call "choose"(%[[FOUND]], %[[ALLOWED]]) {checks}
// CHECK-NEXT:   %[[ZERO:.*]] = nn.constant #nn.dense<0.0 : tensor<3x2xf32>>
// CHECK-NEXT:   nn.yield %[[ZERO]] : tensor<3x2xf32>
func.func @one(%c: tensor<i1>, %x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> tensor<*xf32> {
  %0 = "onnx.If"(%c) ({
    %1 = "onnx.MatMul"(%x, %y) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<*xf32>
    %2 = "onnx.Relu"(%1) : (tensor<*xf32>) -> tensor<*xf32>
    "onnx.yield"(%2) : (tensor<*xf32>) -> ()
  }, {
    %3 = "onnx.Transpose"(%x) <{perm = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
    "onnx.yield"(%3) : (tensor<3x2xf32>) -> ()
  }) : (tensor<i1>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}

// A choice whose branches are both impossible is impossible itself.
// CHECK-LABEL: func.func @nested
// CHECK:      nn.if %c with
// CHECK-NOT:    nn.if
// CHECK:      } else {
// CHECK:        nn.library_call "choose"
func.func @nested(%c: tensor<i1>, %x: tensor<2x3xf32>) -> tensor<*xf32> {
  %0 = "onnx.If"(%c) ({
    %1 = "onnx.If"(%c) ({
      %2 = "onnx.MatMul"(%x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<*xf32>
      "onnx.yield"(%2) : (tensor<*xf32>) -> ()
    }, {
      %3 = "onnx.Concat"(%x, %c) <{axis = 0 : i64}> : (tensor<2x3xf32>, tensor<i1>) -> tensor<*xf32>
      "onnx.yield"(%3) : (tensor<*xf32>) -> ()
    }) : (tensor<i1>) -> tensor<*xf32>
    "onnx.yield"(%1) : (tensor<*xf32>) -> ()
  }, {
    "onnx.yield"(%x) : (tensor<2x3xf32>) -> ()
  }) : (tensor<i1>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}
