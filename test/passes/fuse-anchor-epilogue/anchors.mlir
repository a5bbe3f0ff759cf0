// RUN: autodeploy-opt %s --fuse-anchor-epilogue | filecheck %s

// Every kind of anchor takes an epilogue, an element type may change in it.

func.func @matmul(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
  %y = nn.matmul %a, %b : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %s = nn.gelu %y : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %s : tensor<2x3xf32>
}

func.func @pool(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x3x3xui8> {
  %y = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x3x3xf32>
  %s = nn.cast %y : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xui8>
  func.return %s : tensor<1x2x3x3xui8>
}

func.func @reduce(%x: tensor<1x2x4x4xf32>) -> tensor<1x2xf32> {
  %y = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 2, 3>} : (tensor<1x2x4x4xf32>) -> tensor<1x2xf32>
  %s = nn.sqrt %y : (tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %s : tensor<1x2xf32>
}

// CHECK:      func.func @matmul(%a: tensor<2x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   %s = nn.kernel(%a, %b) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%a_1: tensor<2x4xf32>, %b_1: tensor<4x3xf32>):
// CHECK-NEXT:     %y = nn.matmul %a_1, %b_1 : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %s_1 = nn.gelu %y : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     nn.yield %s_1 : tensor<2x3xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %s : tensor<2x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @pool(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x3x3xui8> {
// CHECK-NEXT:   %s = nn.kernel(%x) : (tensor<1x2x4x4xf32>) -> tensor<1x2x3x3xui8> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4x4xf32>):
// CHECK-NEXT:     %y = nn.max_pool %x_1 {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x3x3xf32>
// CHECK-NEXT:     %s_1 = nn.cast %y : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xui8>
// CHECK-NEXT:     nn.yield %s_1 : tensor<1x2x3x3xui8>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %s : tensor<1x2x3x3xui8>
// CHECK-NEXT: }

// CHECK:      func.func @reduce(%x: tensor<1x2x4x4xf32>) -> tensor<1x2xf32> {
// CHECK-NEXT:   %s = nn.kernel(%x) : (tensor<1x2x4x4xf32>) -> tensor<1x2xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4x4xf32>):
// CHECK-NEXT:     %y = nn.reduce %x_1 {kind = #nn<reduction mean>, axes = array<i64: 2, 3>} : (tensor<1x2x4x4xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:     %s_1 = nn.sqrt %y : (tensor<1x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT:     nn.yield %s_1 : tensor<1x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %s : tensor<1x2xf32>
// CHECK-NEXT: }
