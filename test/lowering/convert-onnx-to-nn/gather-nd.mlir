// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// The indexed axes become one, of which the row-major number is looked up.

func.func @main(%x: tensor<2x3x4xf32>, %i: tensor<2x5x1xi64>) -> tensor<2x5x4xf32> {
  %y = "onnx.GatherND"(%x, %i) <{batch_dims = 1 : i64}> : (tensor<2x3x4xf32>, tensor<2x5x1xi64>) -> tensor<2x5x4xf32>
  func.return %y : tensor<2x5x4xf32>
}

// CHECK:      func.func @main(%x: tensor<2x3x4xf32>, %i: tensor<2x5x1xi64>) -> tensor<2x5x4xf32> {
// CHECK-NEXT:   %0 = nn.reshape %i : (tensor<2x5x1xi64>) -> tensor<2x5xi64>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<0 : tensor<i64>>
// CHECK-NEXT:   %2 = nn.less %0, %1 : (tensor<2x5xi64>, tensor<i64>) -> tensor<2x5xi1>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<3 : tensor<i64>>
// CHECK-NEXT:   %4 = nn.add %0, %3 : (tensor<2x5xi64>, tensor<i64>) -> tensor<2x5xi64>
// CHECK-NEXT:   %5 = nn.where %2, %4, %0 : (tensor<2x5xi1>, tensor<2x5xi64>, tensor<2x5xi64>) -> tensor<2x5xi64>
// CHECK-NEXT:   %6 = nn.constant #nn.dense<[0, 3] : tensor<2x1xi64>>
// CHECK-NEXT:   %7 = nn.add %5, %6 : (tensor<2x5xi64>, tensor<2x1xi64>) -> tensor<2x5xi64>
// CHECK-NEXT:   %8 = nn.reshape %x : (tensor<2x3x4xf32>) -> tensor<6x4xf32>
// CHECK-NEXT:   %y = nn.gather %8, %7 {axis = 0 : i64} : (tensor<6x4xf32>, tensor<2x5xi64>) -> tensor<2x5x4xf32>
// CHECK-NEXT:   func.return %y : tensor<2x5x4xf32>
// CHECK-NEXT: }
