// RUN: autodeploy-opt %s --mark-open-axes | filecheck %s

// Each kernel says which axes of what it reads and makes follow the number of a run: the images of a batch, rows of a
// matrix that images have become. Weights have none, and the results say theirs, too.

builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
  func.func @main(%x: tensor<8x4x6xf32> {nn.open = array<i64: 1, 0, 0>}, %w: tensor<6x5xf32>) -> tensor<32x5xf32> {
    %m = nn.reshape %x : (tensor<8x4x6xf32>) -> tensor<32x6xf32>
    %y = nn.kernel(%m, %w) : (tensor<32x6xf32>, tensor<6x5xf32>) -> tensor<32x5xf32> {
    ^bb0(%a: tensor<32x6xf32>, %b: tensor<6x5xf32>):
      %p = nn.matmul %a, %b : (tensor<32x6xf32>, tensor<6x5xf32>) -> tensor<32x5xf32>
      nn.yield %p : tensor<32x5xf32>
    }
    %other = nn.kernel(%w) : (tensor<6x5xf32>) -> tensor<6x5xf32> {
    ^bb0(%b: tensor<6x5xf32>):
      %n = nn.abs %b : (tensor<6x5xf32>) -> tensor<6x5xf32>
      nn.yield %n : tensor<6x5xf32>
    }
    func.return %y : tensor<32x5xf32>
  }
}

// CHECK:     func.func @main(%x: tensor<8x4x6xf32> {nn.open = array<i64: 1, 0, 0>}, %w: tensor<6x5xf32>)
// CHECK-SAME: -> (tensor<32x5xf32> {nn.open = array<i64: 4, 0>})
// CHECK:     %y = nn.kernel(%m, %w) {open = [array<i64: 4, 0>, array<i64: 0, 0>, array<i64: 4, 0>]}
// CHECK:     %other = nn.kernel(%w) : (tensor<6x5xf32>) -> tensor<6x5xf32> {
