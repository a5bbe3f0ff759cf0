// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Trilu, OneHot, IsNaN and IsInf are comparisons and choices.

func.func @trilu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = "onnx.Trilu"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

func.func @one_hot(%i: tensor<3xi64>, %v: tensor<2xf32>) -> tensor<3x4xf32> {
  %d = nn.constant #nn.dense<4 : tensor<i64>>
  %y = "onnx.OneHot"(%i, %d, %v) : (tensor<3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}

func.func @nan(%x: tensor<3xf32>) -> (tensor<3xi1>, tensor<3xi1>) {
  %y = "onnx.IsNaN"(%x) : (tensor<3xf32>) -> tensor<3xi1>
  %z = "onnx.IsInf"(%x) : (tensor<3xf32>) -> tensor<3xi1>
  func.return %y, %z : tensor<3xi1>, tensor<3xi1>
}

// CHECK:      func.func @trilu(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1, 1, 1, 0, 1, 1] : tensor<2x3xi1>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<0.0 : tensor<f32>>
// CHECK-NEXT:   %y = nn.where %0, %x, %1 : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @one_hot(%i: tensor<3xi64>, %v: tensor<2xf32>) -> tensor<3x4xf32> {
// CHECK-NEXT:   %0 = nn.reshape %i : (tensor<3xi64>) -> tensor<3x1xi64>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<0 : tensor<i64>>
// CHECK-NEXT:   %2 = nn.less %0, %1 : (tensor<3x1xi64>, tensor<i64>) -> tensor<3x1xi1>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<4 : tensor<i64>>
// CHECK-NEXT:   %4 = nn.add %0, %3 : (tensor<3x1xi64>, tensor<i64>) -> tensor<3x1xi64>
// CHECK-NEXT:   %5 = nn.where %2, %4, %0 : (tensor<3x1xi1>, tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
// CHECK-NEXT:   %6 = nn.constant #nn.dense<[0, 1, 2, 3] : tensor<4xi64>>
// CHECK-NEXT:   %7 = nn.equal %5, %6 : (tensor<3x1xi64>, tensor<4xi64>) -> tensor<3x4xi1>
// CHECK-NEXT:   %8 = nn.slice %v {starts = array<i64: 0>, sizes = array<i64: 1>, steps = array<i64: 1>} : (tensor<2xf32>) -> tensor<1xf32>
// CHECK-NEXT:   %9 = nn.reshape %8 : (tensor<1xf32>) -> tensor<f32>
// CHECK-NEXT:   %10 = nn.slice %v {starts = array<i64: 1>, sizes = array<i64: 1>, steps = array<i64: 1>} : (tensor<2xf32>) -> tensor<1xf32>
// CHECK-NEXT:   %11 = nn.reshape %10 : (tensor<1xf32>) -> tensor<f32>
// CHECK-NEXT:   %y = nn.where %7, %11, %9 : (tensor<3x4xi1>, tensor<f32>, tensor<f32>) -> tensor<3x4xf32>
// CHECK-NEXT:   func.return %y : tensor<3x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @nan(%x: tensor<3xf32>) -> (tensor<3xi1>, tensor<3xi1>) {
// CHECK-NEXT:   %0 = nn.equal %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
// CHECK-NEXT:   %y = nn.not %0 : (tensor<3xi1>) -> tensor<3xi1>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<"0x000080ff" : tensor<f32>>
// CHECK-NEXT:   %2 = nn.equal %x, %1 : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<"0x0000807f" : tensor<f32>>
// CHECK-NEXT:   %4 = nn.equal %x, %3 : (tensor<3xf32>, tensor<f32>) -> tensor<3xi1>
// CHECK-NEXT:   %z = nn.or %2, %4 : (tensor<3xi1>, tensor<3xi1>) -> tensor<3xi1>
// CHECK-NEXT:   func.return %y, %z : tensor<3xi1>, tensor<3xi1>
// CHECK-NEXT: }
