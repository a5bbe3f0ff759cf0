// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// The config of a kernel is open until it is chosen; a kernel may have several results.

func.func @f(%x: tensor<4xf32>) {
  %open = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%i: tensor<4xf32>):
    %r = nn.abs %i : (tensor<4xf32>) -> tensor<4xf32>
    nn.yield %r : tensor<4xf32>
  }
  %two, %three = nn.kernel() {config = #nn.config<plain>} : () -> (tensor<2xf32>, tensor<3xf32>) {
    %a = nn.constant #nn.dense<1.0 : tensor<2xf32>>
    %b = nn.constant #nn.dense<2.0 : tensor<3xf32>>
    nn.yield %a, %b : tensor<2xf32>, tensor<3xf32>
  }
  func.return
}

// CHECK:      func.func @f(%x: tensor<4xf32>) {
// CHECK-NEXT:   %open = nn.kernel(%x) : (tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:   ^bb0(%i: tensor<4xf32>):
// CHECK-NEXT:     %r = nn.abs %i : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:     nn.yield %r : tensor<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %two, %three = nn.kernel() {config = #nn.config<plain>} : () -> (tensor<2xf32>, tensor<3xf32>) {
// CHECK-NEXT:     %a = nn.constant #nn.dense<1.0 : tensor<2xf32>>
// CHECK-NEXT:     %b = nn.constant #nn.dense<2.0 : tensor<3xf32>>
// CHECK-NEXT:     nn.yield %a, %b : tensor<2xf32>, tensor<3xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
