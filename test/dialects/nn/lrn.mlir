// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Normalisation across neighbouring channels, in both layouts.

func.func @f(%x: tensor<1x6x4x4xf32>) {
  %0 = nn.lrn %x {size = 5 : i64, alpha = 1.000000e-04 : f64, beta = 7.500000e-01 : f64, bias = 1.000000e+00 : f64} : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %1 = nn.lrn %x {size = 2 : i64, alpha = 1.000000e-04 : f64, beta = 5.000000e-01 : f64, bias = 2.000000e+00 : f64, layout = #nn<layout channels_last>} : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<1x6x4x4xf32>) {
// CHECK-NEXT:   %0 = nn.lrn %x {size = 5 : i64, alpha = 1.000000e-04 : f64, beta = 7.500000e-01 : f64, bias = 1.000000e+00 : f64} : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
// CHECK-NEXT:   %1 = nn.lrn %x {size = 2 : i64, alpha = 1.000000e-04 : f64, beta = 5.000000e-01 : f64, bias = 2.000000e+00 : f64, layout = #nn<layout channels_last>} : (tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
