// RUN: autodeploy-opt %s --store-booleans | filecheck %s

// What others than kernels read stays a boolean, and so do all others then. A boolean inside of a kernel always does.

func.func @f(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi1>) {
  %y = nn.kernel(%x) : (tensor<6xf32>) -> tensor<6xf32> {
  ^bb0(%i: tensor<6xf32>):
    %l = nn.less %i, %i : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    %r = nn.cast %l : (tensor<6xi1>) -> tensor<6xf32>
    nn.yield %r : tensor<6xf32>
  }
  %l = nn.kernel(%x) : (tensor<6xf32>) -> tensor<6xi1> {
  ^bb0(%i: tensor<6xf32>):
    %r = nn.less %i, %i : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
    nn.yield %r : tensor<6xi1>
  }
  func.return %y, %l : tensor<6xf32>, tensor<6xi1>
}

// CHECK:      func.func @f(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xi1>) {
// CHECK-NEXT:   %y = nn.kernel(%x) : (tensor<6xf32>) -> tensor<6xf32> {
// CHECK-NEXT:   ^bb0(%i: tensor<6xf32>):
// CHECK-NEXT:     %l = nn.less %i, %i : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
// CHECK-NEXT:     %r = nn.cast %l : (tensor<6xi1>) -> tensor<6xf32>
// CHECK-NEXT:     nn.yield %r : tensor<6xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %l = nn.kernel(%x) : (tensor<6xf32>) -> tensor<6xi1> {
// CHECK-NEXT:   ^bb0(%i: tensor<6xf32>):
// CHECK-NEXT:     %r = nn.less %i, %i : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
// CHECK-NEXT:     nn.yield %r : tensor<6xi1>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y, %l : tensor<6xf32>, tensor<6xi1>
