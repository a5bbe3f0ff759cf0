// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Cumulative sums and products, and the places of extremes.

func.func @f(%x: tensor<2x3x4xf32>, %i: tensor<2x3xi8>) {
  %0 = nn.cumsum %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = nn.cumsum %i {axis = 0 : i64, exclusive = true, reverse = true} : (tensor<2x3xi8>) -> tensor<2x3xi8>
  %2 = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3xi32>
  %3 = nn.arg_reduce %i {kind = #nn<reduction min>, axis = 0 : i64, keepdims = true, select_last = true} : (tensor<2x3xi8>) -> tensor<1x3xi32>
  %4 = nn.cumprod %x {axis = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<2x3x4xf32>, %i: tensor<2x3xi8>) {
// CHECK-NEXT:   %0 = nn.cumsum %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %1 = nn.cumsum %i {axis = 0 : i64, exclusive = true, reverse = true} : (tensor<2x3xi8>) -> tensor<2x3xi8>
// CHECK-NEXT:   %2 = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3xi32>
// CHECK-NEXT:   %3 = nn.arg_reduce %i {kind = #nn<reduction min>, axis = 0 : i64, keepdims = true, select_last = true} : (tensor<2x3xi8>) -> tensor<1x3xi32>
// CHECK-NEXT:   %4 = nn.cumprod %x {axis = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
