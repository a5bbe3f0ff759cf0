// RUN: autodeploy-opt %s --mark-open-axes --split-input-file --verify-diagnostics | filecheck %s

// Ops for which the first elements of the result do not follow from the first ones of the operands are refused,
// all at once, by reason.

// CHECK: extent 'n' cannot be open, as 4 nodes cannot have it
// CHECK-NEXT: node 'sum': it adds up along it
// CHECK-NEXT: 2 nodes 'soft', 'window': it joins or reads several places along it, or places that data says
// CHECK-NEXT: node 'turned': it is not the outermost axis of the result
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}) -> (tensor<6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<6x8xf32>) {
    %sum = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 0>, keepdims = false} : (tensor<8x6xf32>) -> tensor<6xf32>
    %soft = nn.softmax %x {axis = 0 : i64} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %window = nn.cumsum %x {axis = 0 : i64} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %turned = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<8x6xf32>) -> tensor<6x8xf32>
    func.return %sum, %soft, %window, %turned : tensor<6xf32>, tensor<8x6xf32>, tensor<8x6xf32>, tensor<6x8xf32>
  }
}

// -----

// CHECK: node 'joined': it joins or reads several places along it, or places that data says
// CHECK-NEXT: node 'mixed': it brings it together with other axes
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}) -> (tensor<16x6xf32>, tensor<3x16xf32>) {
    %joined = nn.concat %x, %x {axis = 0 : i64} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<16x6xf32>
    %mixed = nn.reshape %x : (tensor<8x6xf32>) -> tensor<3x16xf32>
    func.return %joined, %mixed : tensor<16x6xf32>, tensor<3x16xf32>
  }
}

// -----

// CHECK: extent 'n' cannot be open: by the shapes of the model result 0 has the coefficients [1, 0], by its nodes [0, 0]
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}, %w: tensor<8x6xf32>) -> (tensor<8x6xf32> {nn.open = array<i64: 1, 0>}) {
    func.return %w : tensor<8x6xf32>
  }
}
