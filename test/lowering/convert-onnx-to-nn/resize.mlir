// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// Scales, sizes and coordinates become one line of places an axis.

func.func @nearest(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x6x8xf32> {
  %s = nn.constant #nn.dense<[1.0, 1.0, 2.0, 2.0] : tensor<4xf32>>
  %y = "onnx.Resize"(%x, %s) <{coordinate_transformation_mode = "asymmetric", nearest_mode = "floor", operandSegmentSizes = array<i32: 1, 0, 1, 0>}> : (tensor<1x2x3x4xf32>, tensor<4xf32>) -> tensor<1x2x6x8xf32>
  func.return %y : tensor<1x2x6x8xf32>
}

func.func @half_pixel(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x5x4xf32> {
  %s = nn.constant #nn.dense<[1, 2, 5, 4] : tensor<4xi64>>
  %y = "onnx.Resize"(%x, %s) <{mode = "linear", operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<1x2x3x4xf32>, tensor<4xi64>) -> tensor<1x2x5x4xf32>
  func.return %y : tensor<1x2x5x4xf32>
}

func.func @align_corners(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x5x1xf32> {
  %s = nn.constant #nn.dense<[5, 1] : tensor<2xi64>>
  %y = "onnx.Resize"(%x, %s) <{mode = "cubic", axes = array<i64: 2, 3>, coordinate_transformation_mode = "align_corners", exclude_outside = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 1>}> : (tensor<1x2x3x4xf32>, tensor<2xi64>) -> tensor<1x2x5x1xf32>
  func.return %y : tensor<1x2x5x1xf32>
}

func.func @upsample(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x6xf32> {
  %y = "onnx.Upsample.v7"(%x) <{scales = [1.0 : f32, 1.0 : f32, 1.0 : f32, 1.5 : f32]}> : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x6xf32>
  func.return %y : tensor<1x2x3x6xf32>
}

// CHECK:      func.func @nearest(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x6x8xf32> {
// CHECK-NEXT:   %y = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1, 1>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 1, 2, 2>, rounding = #nn<rounding floor>} : (tensor<1x2x3x4xf32>) -> tensor<1x2x6x8xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x6x8xf32>
// CHECK-NEXT: }

// CHECK:      func.func @half_pixel(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x5x4xf32> {
// CHECK-NEXT:   %y = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 1, 3, 1>, offsets = array<i64: 0, 0, -1, 0>, denominators = array<i64: 1, 1, 5, 1>} : (tensor<1x2x3x4xf32>) -> tensor<1x2x5x4xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x5x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @align_corners(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x5x1xf32> {
// CHECK-NEXT:   %y = nn.resize %x {interpolation = #nn<interpolation cubic>, numerators = array<i64: 1, 1, 1, 0>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 1, 2, 1>, exclude_outside = true} : (tensor<1x2x3x4xf32>) -> tensor<1x2x5x1xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x5x1xf32>
// CHECK-NEXT: }

// CHECK:      func.func @upsample(%x: tensor<1x2x3x4xf32>) -> tensor<1x2x3x6xf32> {
// CHECK-NEXT:   %y = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1, 2>, offsets = array<i64: 0, 0, 0, 0>, denominators = array<i64: 1, 1, 1, 3>, rounding = #nn<rounding floor>} : (tensor<1x2x3x4xf32>) -> tensor<1x2x3x6xf32>
// CHECK-NEXT:   func.return %y : tensor<1x2x3x6xf32>
// CHECK-NEXT: }
