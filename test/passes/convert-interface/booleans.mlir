// RUN: autodeploy-opt %s --convert-interface | filecheck %s

// A boolean is a word in the interface. Words are moved; all else reads a boolean, since any number but 0 is true.

func.func @masks(%x: tensor<2x3xi1>, %y: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi1>) {
  %r = nn.reshape %x : (tensor<2x3xi1>) -> tensor<6xi1>
  %c = nn.cast %r : (tensor<6xi1>) -> tensor<6xf32>
  %l = nn.less %c, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  func.return %c, %l : tensor<6xf32>, tensor<6xi1>
}

// CHECK:      func.func @masks(%x: tensor<2x3xi32>, %y: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi32>) {
// CHECK-NEXT:   %r = nn.reshape %x : (tensor<2x3xi32>) -> tensor<6xi32>
// CHECK-NEXT:   %[[r:.*]] = nn.cast %r : (tensor<6xi32>) -> tensor<6xi1>
// CHECK-NEXT:   %c = nn.cast %[[r]] : (tensor<6xi1>) -> tensor<6xf32>
// CHECK-NEXT:   %l = nn.less %c, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
// CHECK-NEXT:   %[[l:.*]] = nn.cast %l : (tensor<6xi1>) -> tensor<6xi32>
// CHECK-NEXT:   func.return %c, %[[l]] : tensor<6xf32>, tensor<6xi32>
