// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A number that only a run knows, and its range; which axes of a kernel's operands and results follow it.

builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
  func.func @f(%x: tensor<8x2xf32> {nn.open = array<i64: 1, 0>}) {
    %k = nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 1, 0>]} : (tensor<8x2xf32>) -> tensor<8x2xf32> {
    ^bb0(%i: tensor<8x2xf32>):
      %a = nn.abs %i : (tensor<8x2xf32>) -> tensor<8x2xf32>
      nn.yield %a : tensor<8x2xf32>
    }
    func.return
  }
}

// CHECK: builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
// CHECK: nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 1, 0>]} : (tensor<8x2xf32>) -> tensor<8x2xf32> {
