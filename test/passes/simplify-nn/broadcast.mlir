// RUN: autodeploy-opt --simplify-nn %s | filecheck %s

// CHECK-LABEL: @merged
// CHECK-NEXT: %0 = nn.broadcast %x : (tensor<3xf32>) -> tensor<4x2x3xf32>
// CHECK-NEXT: func.return %0
func.func @merged(%x: tensor<3xf32>) -> tensor<4x2x3xf32> {
  %0 = nn.broadcast %x : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = nn.broadcast %0 : (tensor<2x3xf32>) -> tensor<4x2x3xf32>
  func.return %1 : tensor<4x2x3xf32>
}

// CHECK-LABEL: @same_shape
// CHECK-NEXT: func.return %x
func.func @same_shape(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = nn.broadcast %x : (tensor<3xf32>) -> tensor<3xf32>
  func.return %0 : tensor<3xf32>
}

// CHECK-LABEL: @into_binary
// CHECK-NEXT: %0 = nn.sub %x, %y : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @into_binary(%x: tensor<3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.broadcast %x : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = nn.sub %0, %y : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: @into_where
// CHECK-NEXT: %0 = nn.where %c, %x, %y
func.func @into_where(%c: tensor<i1>, %x: tensor<3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.broadcast %c : (tensor<i1>) -> tensor<2x3xi1>
  %1 = nn.broadcast %x : (tensor<3xf32>) -> tensor<2x3xf32>
  %2 = nn.where %0, %1, %y : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %2 : tensor<2x3xf32>
}

// The other operand alone does not make the result as wide.
// CHECK-LABEL: @gives_the_shape
// CHECK-NEXT: nn.broadcast
// CHECK-NEXT: nn.add
func.func @gives_the_shape(%x: tensor<3xf32>, %y: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %0 = nn.broadcast %x : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = nn.add %0, %y : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}

// Of two operands that are broadcast one must stay so.
// CHECK-LABEL: @both
// CHECK-NEXT: %0 = nn.broadcast %x : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = nn.mul %x, %0 : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @both(%x: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = nn.broadcast %x : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = nn.mul %0, %0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %1 : tensor<2x3xf32>
}
