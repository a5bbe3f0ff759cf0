// RUN: autodeploy-opt %s --assign-layouts | filecheck %s

// Operands of the image's rank are transposed, narrower ones widened first; single numbers stay.

func.func @f(%x: tensor<1x2x4x5xf32>, %channel: tensor<2x1x1xf32>, %row: tensor<5xf32>, %image: tensor<1x2x4x5xf32>, %scalar: tensor<f32>, %one: tensor<1x1x1x1xf32>) -> tensor<1x2x4x5xf32> {
  %p = nn.max_pool %x {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %a = nn.add %p, %channel : (tensor<1x2x4x5xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x5xf32>
  %b = nn.sub %row, %a : (tensor<5xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %c = nn.mul %b, %image : (tensor<1x2x4x5xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  %d = nn.div %c, %scalar : (tensor<1x2x4x5xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
  %y = nn.max %one, %d : (tensor<1x1x1x1xf32>, tensor<1x2x4x5xf32>) -> tensor<1x2x4x5xf32>
  func.return %y : tensor<1x2x4x5xf32>
}

// CHECK:      func.func @f(%x: tensor<1x2x4x5xf32>, %channel: tensor<2x1x1xf32>, %row: tensor<5xf32>, %image: tensor<1x2x4x5xf32>, %scalar: tensor<f32>, %one: tensor<1x1x1x1xf32>) -> tensor<1x2x4x5xf32> {
// CHECK-NEXT:   %0 = nn.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %p = nn.max_pool %0 {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %1 = nn.reshape %channel : (tensor<2x1x1xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT:   %2 = nn.transpose %1 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x1x1xf32>) -> tensor<1x1x1x2xf32>
// CHECK-NEXT:   %a = nn.add %p, %2 : (tensor<1x4x5x2xf32>, tensor<1x1x1x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %3 = nn.reshape %row : (tensor<5xf32>) -> tensor<1x1x1x5xf32>
// CHECK-NEXT:   %4 = nn.transpose %3 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x1x1x5xf32>) -> tensor<1x1x5x1xf32>
// CHECK-NEXT:   %b = nn.sub %4, %a : (tensor<1x1x5x1xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %5 = nn.transpose %image {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x5xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %c = nn.mul %b, %5 : (tensor<1x4x5x2xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %d = nn.div %c, %scalar : (tensor<1x4x5x2xf32>, tensor<f32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y = nn.max %one, %d : (tensor<1x1x1x1xf32>, tensor<1x4x5x2xf32>) -> tensor<1x4x5x2xf32>
// CHECK-NEXT:   %y_1 = nn.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x2xf32>) -> tensor<1x2x4x5xf32>
// CHECK-NEXT:   func.return %y_1 : tensor<1x2x4x5xf32>
// CHECK-NEXT: }
