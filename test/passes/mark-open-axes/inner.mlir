// RUN: autodeploy-opt %s --form-kernels --mark-open-axes | filecheck %s

// An open axis may stand anywhere in between. What folds along it (a softmax, a sum, a product, the place of the largest) ends at the number of
// a run; a part of an axis that is reshaped stays where it is in memory.

builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 8>} {
  func.func @main(%x: tensor<8x6xf32> {nn.open = array<i64: 1, 0>}, %w: tensor<6x8x2xf32>) -> (tensor<8x6xf32>, tensor<6xf32>, tensor<6x6x2xf32>, tensor<6xi64>, tensor<8x6xf32>) {
    %t = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<8x6xf32>) -> tensor<6x8xf32>
    %scores = nn.matmul %x, %t : (tensor<8x6xf32>, tensor<6x8xf32>) -> tensor<8x8xf32>
    %soft = nn.softmax %scores {axis = 1 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %seen = nn.matmul %soft, %x : (tensor<8x8xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    %sum = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 0>, keepdims = false} : (tensor<8x6xf32>) -> tensor<6xf32>
    %stack = nn.reshape %t : (tensor<6x8xf32>) -> tensor<3x2x8x1xf32>
    %flat = nn.reshape %stack : (tensor<3x2x8x1xf32>) -> tensor<1x6x8xf32>
    %by = nn.matmul %flat, %w : (tensor<1x6x8xf32>, tensor<6x8x2xf32>) -> tensor<6x6x2xf32>
    %place = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 0 : i64, keepdims = false, select_last = false} : (tensor<8x6xf32>) -> tensor<6xi64>
    %scan = nn.cumsum %x {axis = 0 : i64, reverse = true} : (tensor<8x6xf32>) -> tensor<8x6xf32>
    func.return %seen, %sum, %by, %place, %scan : tensor<8x6xf32>, tensor<6xf32>, tensor<6x6x2xf32>, tensor<6xi64>, tensor<8x6xf32>
  }
}

// CHECK:  %scores = nn.kernel(%x, %t) {open = [array<i64: 1, 0>, array<i64: 0, 1>, array<i64: 1, 1>]}
// CHECK:  %soft = nn.kernel(%scores) {open = [array<i64: 1, 1>, array<i64: 1, 1>]}
// CHECK:  %seen = nn.kernel(%soft, %x) {open = [array<i64: 1, 1>, array<i64: 1, 0>, array<i64: 1, 0>]}
// CHECK:  %sum = nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 0>]}
// CHECK:  %by = nn.kernel(%flat, %w) {open = [array<i64: 0, 0, 1>, array<i64: 0, 0, 0>, array<i64: 0, 0, 0>]}
// CHECK:  %place = nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 0>]}
// CHECK:  %scan = nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 1, 0>]}
