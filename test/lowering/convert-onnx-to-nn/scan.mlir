// RUN: autodeploy-opt --convert-onnx-to-nn %s | filecheck %s

// CumSum, ArgMax and ArgMin.

func.func @cumsum(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = nn.constant #nn.dense<-1 : tensor<i64>>
  %y = "onnx.CumSum"(%x, %a) <{reverse = 1 : i64}> : (tensor<2x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

func.func @arg_max(%x: tensor<2x3xf32>) -> tensor<2xi64> {
  %y = "onnx.ArgMax"(%x) <{axis = 1 : i64, keepdims = 0 : i64, select_last_index = 1 : i64}> : (tensor<2x3xf32>) -> tensor<2xi64>
  func.return %y : tensor<2xi64>
}

func.func @arg_min(%x: tensor<2x3xf32>) -> tensor<1x3xi64> {
  %y = "onnx.ArgMin"(%x) : (tensor<2x3xf32>) -> tensor<1x3xi64>
  func.return %y : tensor<1x3xi64>
}

// CHECK:      func.func @cumsum(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %y = nn.cumsum %x {axis = 1 : i64, reverse = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:   func.return %y : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @arg_max(%x: tensor<2x3xf32>) -> tensor<2xi64> {
// CHECK-NEXT:   %y = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 1 : i64, select_last = true} : (tensor<2x3xf32>) -> tensor<2xi64>
// CHECK-NEXT:   func.return %y : tensor<2xi64>
// CHECK-NEXT: }

// CHECK:      func.func @arg_min(%x: tensor<2x3xf32>) -> tensor<1x3xi64> {
// CHECK-NEXT:   %y = nn.arg_reduce %x {kind = #nn<reduction min>, axis = 0 : i64, keepdims = true} : (tensor<2x3xf32>) -> tensor<1x3xi64>
// CHECK-NEXT:   func.return %y : tensor<1x3xi64>
// CHECK-NEXT: }
