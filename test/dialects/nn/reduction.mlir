// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Reductions, softmax, batch normalisation.

func.func @f(%x: tensor<2x3x4xf32>, %i: tensor<2x3xi32>, %c: tensor<3xf32>, %k: tensor<4xf32>) {
  %sum = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %mean = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %max = nn.reduce %x {kind = #nn<reduction max>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %min = nn.reduce %x {kind = #nn<reduction min>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %prod = nn.reduce %x {kind = #nn<reduction prod>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
  %kept = nn.reduce %i {kind = #nn<reduction max>, axes = array<i64: 1>, keepdims = true} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  %all = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 0, 1, 2>} : (tensor<2x3x4xf32>) -> tensor<f32>
  %none = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %soft = nn.softmax %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %norm = nn.batch_norm %x, %c, %c, %c, %c {epsilon = 1.0e-05 : f64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  %last = nn.batch_norm %x, %k, %k, %k, %k {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<2x3x4xf32>, %i: tensor<2x3xi32>, %c: tensor<3xf32>, %k: tensor<4xf32>) {
// CHECK-NEXT:   %sum = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
// CHECK-NEXT:   %mean = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
// CHECK-NEXT:   %max = nn.reduce %x {kind = #nn<reduction max>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
// CHECK-NEXT:   %min = nn.reduce %x {kind = #nn<reduction min>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
// CHECK-NEXT:   %prod = nn.reduce %x {kind = #nn<reduction prod>, axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>) -> tensor<3xf32>
// CHECK-NEXT:   %kept = nn.reduce %i {kind = #nn<reduction max>, axes = array<i64: 1>, keepdims = true} : (tensor<2x3xi32>) -> tensor<2x1xi32>
// CHECK-NEXT:   %all = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 0, 1, 2>} : (tensor<2x3x4xf32>) -> tensor<f32>
// CHECK-NEXT:   %none = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64>} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %soft = nn.softmax %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %norm = nn.batch_norm %x, %c, %c, %c, %c {epsilon = 1.000000e-05 : f64} : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   %last = nn.batch_norm %x, %k, %k, %k, %k {epsilon = 0.000000e+00 : f64, layout = #nn<layout channels_last>} : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
