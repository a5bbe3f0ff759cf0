// RUN: autodeploy-opt %s --fold-codes | filecheck %s

// A fold reads codes; what makes them stores these and no wider numbers.

func.func @numbers(%x: tensor<2x8xui8>) -> tensor<2xf32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %n = nn.dequantize %x, %s, %z : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
  %y = nn.reduce %n {kind = #nn<reduction max>, axes = array<i64: 1>} : (tensor<2x8xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

func.func @integers(%x: tensor<2x8xi8>) -> tensor<2xi32> {
  %n = nn.cast %x : (tensor<2x8xi8>) -> tensor<2x8xi32>
  %y = nn.reduce %n {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<2x8xi32>) -> tensor<2xi32>
  func.return %y : tensor<2xi32>
}

// CHECK:      func.func @numbers(%x: tensor<2x8xui8>) -> tensor<2xf32> {
// CHECK-NEXT:   %y = nn.kernel(%x) : (tensor<2x8xui8>) -> tensor<2xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<2x8xui8>):
// CHECK-NEXT:     %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:     %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:     %n = nn.dequantize %x_1, %s, %z : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
// CHECK-NEXT:     %y_1 = nn.reduce %n {kind = #nn<reduction max>, axes = array<i64: 1>} : (tensor<2x8xf32>) -> tensor<2xf32>
// CHECK-NEXT:     nn.yield %y_1 : tensor<2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<2xf32>
// CHECK-NEXT: }

// CHECK:      func.func @integers(%x: tensor<2x8xi8>) -> tensor<2xi32> {
// CHECK-NEXT:   %y = nn.kernel(%x) : (tensor<2x8xi8>) -> tensor<2xi32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<2x8xi8>):
// CHECK-NEXT:     %n = nn.cast %x_1 : (tensor<2x8xi8>) -> tensor<2x8xi32>
// CHECK-NEXT:     %y_1 = nn.reduce %n {kind = #nn<reduction sum>, axes = array<i64: 1>} : (tensor<2x8xi32>) -> tensor<2xi32>
// CHECK-NEXT:     nn.yield %y_1 : tensor<2xi32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<2xi32>
// CHECK-NEXT: }
