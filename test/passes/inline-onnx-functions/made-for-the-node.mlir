// RUN: autodeploy-opt --inline-onnx-functions %s | filecheck %s

// The body of Clip has one operation for each bound that is there.
// CHECK-LABEL: @upper_bound
// CHECK-NEXT: %[[ABOVE:.*]] = "onnx.Less"(%max, %x)
// CHECK-NEXT: %[[Y:.*]] = "onnx.Where.v9"(%[[ABOVE]], %max, %x)
// CHECK-NEXT: func.return %[[Y]]
func.func @upper_bound(%x: tensor<2xf32>, %max: tensor<f32>) -> tensor<2xf32> {
  %0 = "onnx.Clip"(%x, %max) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// What computes the results that nobody asks for is gone.
// CHECK-LABEL: @layer_normalization
// CHECK-NOT: onnx.Shape
// CHECK-NOT: onnx.Reciprocal
// CHECK: "onnx.Reshape{{.*}}-> tensor<2x3xf32>
// CHECK-NEXT: func.return
func.func @layer_normalization(%x: tensor<2x3xf32>, %scale: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = "onnx.LayerNormalization"(%x, %scale) <{resultSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @operand_of_unknown_type
// CHECK-NEXT: onnx.Softmax
func.func @operand_of_unknown_type(%x: !onnx.unknown) -> tensor<2x3xf32> {
  %0 = "onnx.Softmax"(%x) : (!onnx.unknown) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// The body holds a Loop.
// CHECK-LABEL: @subgraph
// CHECK: "onnx.Loop"(%{{.*}}, %{{.*}}, %a)
// CHECK-NEXT: ^bb0(%i: tensor<i64>, %cond: tensor<i1>, %prev: tensor<{{.*}}f32>):
// CHECK: "onnx.Add"(%prev, %c)
// CHECK: func.return %output : tensor<?xf32>
func.func @subgraph(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<?xf32> {
  %0 = "onnx.Range"(%a, %b, %c) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  func.return %0 : tensor<?xf32>
}
