// RUN: autodeploy-opt %s --quantize-rows | filecheck %s

// A block of a row has the codes -127 to 127; rows that are codes stay as they are.

func.func @f(%x: tensor<4x1x32xf32>, %q: tensor<4x1x32xi8>, %v: tensor<4x1x2xf32>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) -> (tensor<4x1x5xf32>, tensor<4x1x5xf32>) {
  %y = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<4x1x32xf32>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<4x1x5xf32>
  %u = nn.scaled_matmul %q, %w, %s, %z, %v {block = 16 : i64} : (tensor<4x1x32xi8>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>, tensor<4x1x2xf32>) -> tensor<4x1x5xf32>
  func.return %y, %u : tensor<4x1x5xf32>, tensor<4x1x5xf32>
}

// CHECK:      func.func @f(%x: tensor<4x1x32xf32>, %q: tensor<4x1x32xi8>, %v: tensor<4x1x2xf32>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) -> (tensor<4x1x5xf32>, tensor<4x1x5xf32>) {
// CHECK-NEXT:   %0 = nn.reshape %x : (tensor<4x1x32xf32>) -> tensor<4x1x2x16xf32>
// CHECK-NEXT:   %1 = nn.abs %0 : (tensor<4x1x2x16xf32>) -> tensor<4x1x2x16xf32>
// CHECK-NEXT:   %2 = nn.reduce %1 {kind = #nn<reduction max>, axes = array<i64: 3>, keepdims = true} : (tensor<4x1x2x16xf32>) -> tensor<4x1x2x1xf32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<127.0 : tensor<f32>>
// CHECK-NEXT:   %4 = nn.div %2, %3 : (tensor<4x1x2x1xf32>, tensor<f32>) -> tensor<4x1x2x1xf32>
// CHECK-NEXT:   %5 = nn.constant #nn.dense<0 : tensor<i8>>
// CHECK-NEXT:   %6 = nn.quantize %0, %4, %5 : (tensor<4x1x2x16xf32>, tensor<4x1x2x1xf32>, tensor<i8>) -> tensor<4x1x2x16xi8>
// CHECK-NEXT:   %7 = nn.reshape %6 : (tensor<4x1x2x16xi8>) -> tensor<4x1x32xi8>
// CHECK-NEXT:   %8 = nn.reshape %4 : (tensor<4x1x2x1xf32>) -> tensor<4x1x2xf32>
// CHECK-NEXT:   %y = nn.scaled_matmul %7, %w, %s, %z, %8 {block = 16 : i64} : (tensor<4x1x32xi8>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>, tensor<4x1x2xf32>) -> tensor<4x1x5xf32>
// CHECK-NEXT:   %u = nn.scaled_matmul %q, %w, %s, %z, %v {block = 16 : i64} : (tensor<4x1x32xi8>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>, tensor<4x1x2xf32>) -> tensor<4x1x5xf32>
// CHECK-NEXT:   func.return %y, %u : tensor<4x1x5xf32>, tensor<4x1x5xf32>
// CHECK-NEXT: }
