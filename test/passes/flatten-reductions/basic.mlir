// RUN: autodeploy-opt %s --flatten-reductions | filecheck %s

// The maximum of an image is that of a list of its elements.

func.func @f(%x: tensor<1x3x5x8xf32>, %s: tensor<f32>) -> tensor<f32> {
  %y = nn.kernel(%x, %s) : (tensor<1x3x5x8xf32>, tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<1x3x5x8xf32>, %b: tensor<f32>):
    %m = nn.reduce %a {kind = #nn<reduction max>, axes = array<i64: 0, 1, 2, 3>} : (tensor<1x3x5x8xf32>) -> tensor<f32>
    %d = nn.div %m, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
    nn.yield %d : tensor<f32>
  }
  func.return %y : tensor<f32>
}

// CHECK:      %0 = nn.reshape %x : (tensor<1x3x5x8xf32>) -> tensor<120xf32>
// CHECK-NEXT: %y = nn.kernel(%0, %s) : (tensor<120xf32>, tensor<f32>) -> tensor<f32> {
// CHECK-NEXT: ^bb0(%a: tensor<120xf32>, %b: tensor<f32>):
// CHECK-NEXT:   %m = nn.reduce %a {kind = #nn<reduction max>, axes = array<i64: 0>} : (tensor<120xf32>) -> tensor<f32>
// CHECK-NEXT:   %d = nn.div %m, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT:   nn.yield %d : tensor<f32>

// A sum of integers is the same in any order.

func.func @g(%x: tensor<3x5xi32>) -> tensor<i32> {
  %y = nn.kernel(%x) : (tensor<3x5xi32>) -> tensor<i32> {
  ^bb0(%a: tensor<3x5xi32>):
    %m = nn.reduce %a {kind = #nn<reduction sum>, axes = array<i64: 0, 1>} : (tensor<3x5xi32>) -> tensor<i32>
    nn.yield %m : tensor<i32>
  }
  func.return %y : tensor<i32>
}

// CHECK:      nn.reduce {{.*}} axes = array<i64: 0>} : (tensor<15xi32>) -> tensor<i32>
