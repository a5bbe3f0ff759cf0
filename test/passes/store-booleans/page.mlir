// RUN: autodeploy-opt %s --store-booleans | filecheck %s

// A boolean that kernels pass on is a word, and so is one that is moved between them, or a constant. Inside of a kernel it is none.

func.func @f(%x: tensor<2x3xf32>) -> (tensor<6xf32>) {
  %c = nn.constant #nn.dense<[1, 0, 0, 1, 1, 0] : tensor<6xi1>>
  %l = nn.kernel(%x) : (tensor<2x3xf32>) -> tensor<2x3xi1> {
  ^bb0(%i: tensor<2x3xf32>):
    %r = nn.less %i, %i : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    nn.yield %r : tensor<2x3xi1>
  }
  %m = nn.reshape %l : (tensor<2x3xi1>) -> tensor<6xi1>
  %y = nn.kernel(%m, %c) : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xf32> {
  ^bb0(%i: tensor<6xi1>, %j: tensor<6xi1>):
    %a = nn.and %i, %j : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
    %r = nn.cast %a : (tensor<6xi1>) -> tensor<6xf32>
    nn.yield %r : tensor<6xf32>
  }
  func.return %y : tensor<6xf32>
}

// CHECK:      func.func @f(%x: tensor<2x3xf32>) -> tensor<6xf32> {
// CHECK-NEXT:   %c = nn.constant #nn.dense<[1, 0, 0, 1, 1, 0] : tensor<6xi32>>
// CHECK-NEXT:   %l = nn.kernel(%x) : (tensor<2x3xf32>) -> tensor<2x3xi32> {
// CHECK-NEXT:   ^bb0(%i: tensor<2x3xf32>):
// CHECK-NEXT:     %r = nn.less %i, %i : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT:     %[[W:.*]] = nn.cast %r : (tensor<2x3xi1>) -> tensor<2x3xi32>
// CHECK-NEXT:     nn.yield %[[W]] : tensor<2x3xi32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %m = nn.reshape %l : (tensor<2x3xi32>) -> tensor<6xi32>
// CHECK-NEXT:   %y = nn.kernel(%m, %c) : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xf32> {
// CHECK-NEXT:   ^bb0(%i: tensor<6xi32>, %j: tensor<6xi32>):
// CHECK-NEXT:     %[[A:.*]] = nn.cast %i : (tensor<6xi32>) -> tensor<6xi1>
// CHECK-NEXT:     %[[B:.*]] = nn.cast %j : (tensor<6xi32>) -> tensor<6xi1>
// CHECK-NEXT:     %a = nn.and %[[A]], %[[B]] : (tensor<6xi1>, tensor<6xi1>) -> tensor<6xi1>
// CHECK-NEXT:     %r = nn.cast %a : (tensor<6xi1>) -> tensor<6xf32>
// CHECK-NEXT:     nn.yield %r : tensor<6xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<6xf32>
