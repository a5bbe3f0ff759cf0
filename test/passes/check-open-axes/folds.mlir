// RUN: autodeploy-opt %s --check-open-axes | filecheck %s

// An open axis may stand between others. Ops that fold along it (a softmax, a sum, a product, the place of the largest)
// end at the number of a run. A reshape of other axes leaves it at its place in memory.

// CHECK:      func.func @main
// CHECK-NEXT: nn.transpose
// CHECK-NEXT: nn.matmul
// CHECK-NEXT: nn.softmax
// CHECK-NEXT: nn.matmul
// CHECK-NEXT: nn.reduce
// CHECK-NEXT: nn.reshape
// CHECK-NEXT: nn.reshape
// CHECK-NEXT: nn.matmul
// CHECK-NEXT: nn.arg_reduce
// CHECK-NEXT: nn.cumsum
// CHECK-NEXT: func.return
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, %w: tensor<6x8x2xf32, #nn.extents<[6, d0, 2], "n", 1 to 8>>) -> (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<6xf32>, tensor<6x6x2xf32>, tensor<6xi32>, tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) {
    %t = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<6x8xf32, #nn.extents<[6, d0], "n", 1 to 8>>
    %scores = nn.matmul %x, %t : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<6x8xf32, #nn.extents<[6, d0], "n", 1 to 8>>) -> tensor<8x8xf32, #nn.extents<[d0, d0], "n", 1 to 8>>
    %soft = nn.softmax %scores {axis = 1 : i64} : (tensor<8x8xf32, #nn.extents<[d0, d0], "n", 1 to 8>>) -> tensor<8x8xf32, #nn.extents<[d0, d0], "n", 1 to 8>>
    %seen = nn.matmul %soft, %x : (tensor<8x8xf32, #nn.extents<[d0, d0], "n", 1 to 8>>, tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>
    %sum = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 0>, keepdims = false} : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<6xf32>
    %stack = nn.reshape %t : (tensor<6x8xf32, #nn.extents<[6, d0], "n", 1 to 8>>) -> tensor<3x2x8x1xf32, #nn.extents<[3, 2, d0, 1], "n", 1 to 8>>
    %flat = nn.reshape %stack : (tensor<3x2x8x1xf32, #nn.extents<[3, 2, d0, 1], "n", 1 to 8>>) -> tensor<1x6x8xf32, #nn.extents<[1, 6, d0], "n", 1 to 8>>
    %by = nn.matmul %flat, %w : (tensor<1x6x8xf32, #nn.extents<[1, 6, d0], "n", 1 to 8>>, tensor<6x8x2xf32, #nn.extents<[6, d0, 2], "n", 1 to 8>>) -> tensor<6x6x2xf32>
    %place = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 0 : i64, keepdims = false, select_last = false} : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<6xi32>
    %scan = nn.cumsum %x {axis = 0 : i64, reverse = true} : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>) -> tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>
    func.return %seen, %sum, %by, %place, %scan : tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>, tensor<6xf32>, tensor<6x6x2xf32>, tensor<6xi32>, tensor<8x6xf32, #nn.extents<[d0, 6], "n", 1 to 8>>
  }
}
