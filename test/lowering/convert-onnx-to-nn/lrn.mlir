// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// LRN, with ONNX's defaults.

func.func @main(%x: tensor<1x6x2x2xf32>) -> tensor<1x6x2x2xf32> {
  %y = "onnx.LRN"(%x) <{size = 5 : i64}> : (tensor<1x6x2x2xf32>) -> tensor<1x6x2x2xf32>
  func.return %y : tensor<1x6x2x2xf32>
}

// CHECK:      func.func @main(%x: tensor<1x6x2x2xf32>) -> tensor<1x6x2x2xf32> {
// CHECK-NEXT:   %y = nn.lrn %x {size = 5 : i64, alpha = 9.9999997473787516e-05 : f64, beta = 7.500000e-01 : f64, bias = 1.000000e+00 : f64} : (tensor<1x6x2x2xf32>) -> tensor<1x6x2x2xf32>
// CHECK-NEXT:   func.return %y : tensor<1x6x2x2xf32>
// CHECK-NEXT: }
