// RUN: autodeploy-opt %s --quantize-rows="stated=true" --split-input-file | filecheck %s

// A model that states accuracy level 4 has rows of codes; another one keeps its rows.

builtin.module attributes {onnx.accuracy_level = 4 : i64} {
  func.func @f(%x: tensor<4x1x32xf32>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) -> tensor<4x1x5xf32> {
    %y = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<4x1x32xf32>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<4x1x5xf32>
    func.return %y : tensor<4x1x5xf32>
  }
}

// CHECK-LABEL: builtin.module attributes {onnx.accuracy_level = 4 : i64} {
// CHECK:         %y = nn.scaled_matmul {{.*}} : (tensor<4x1x32xi8>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>, tensor<4x1x2xf32>) -> tensor<4x1x5xf32>

// -----

func.func @g(%x: tensor<4x1x32xf32>, %w: tensor<2x8x5xui8>, %s: tensor<2x5xf32>, %z: tensor<ui8>) -> tensor<4x1x5xf32> {
  %y = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<4x1x32xf32>, tensor<2x8x5xui8>, tensor<2x5xf32>, tensor<ui8>) -> tensor<4x1x5xf32>
  func.return %y : tensor<4x1x5xf32>
}

// CHECK:      func.func @g
// CHECK-NEXT:   %y = nn.scaled_matmul %x, %w, %s, %z {block = 16 : i64} : (tensor<4x1x32xf32>
