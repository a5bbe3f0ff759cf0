// RUN: autodeploy-opt --fold-nn-constants %s | filecheck %s

// CHECK-LABEL: @means
// CHECK-NEXT: nn.constant #nn.dense<[2.0, 5.0] : tensor<2xf32>>
func.func @means() -> tensor<2xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<2x3xf32>>
  %0 = nn.reduce %c {kind = #nn<reduction mean>, axes = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// CHECK-LABEL: @nothing
// CHECK-NEXT: nn.constant #nn.dense<-2147483648 : tensor<2xi32>>
func.func @nothing() -> tensor<2xi32> {
  %c = nn.constant #nn.dense<[] : tensor<2x0xi32>>
  %0 = nn.reduce %c {kind = #nn<reduction max>, axes = array<i64: 1>} : (tensor<2x0xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// The padding takes no part.
// CHECK-LABEL: @windows
// CHECK-NEXT: nn.constant #nn.dense<[1.0, 1.5, 2.5, 3.0] : tensor<1x1x4xf32>>
func.func @windows() -> tensor<1x1x4xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<1x1x3xf32>>
  %0 = nn.average_pool %c {window = array<i64: 2>, strides = array<i64: 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1>} : (tensor<1x1x3xf32>) -> tensor<1x1x4xf32>
  func.return %0 : tensor<1x1x4xf32>
}

// CHECK-LABEL: @scan
// CHECK-NEXT: nn.constant #nn.dense<[5, 3, 0] : tensor<3xi32>>
func.func @scan() -> tensor<3xi32> {
  %c = nn.constant #nn.dense<[1, 2, 3] : tensor<3xi32>>
  %0 = nn.cumsum %c {axis = 0 : i64, exclusive = true, reverse = true} : (tensor<3xi32>) -> tensor<3xi32>
  func.return %0 : tensor<3xi32>
}
