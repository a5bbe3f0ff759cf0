// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A number that only a run knows, and its range; which axes of a kernel's operands and results follow it, by a
// coefficient or by a map.

builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
  func.func @f(%x: tensor<8x2xf32> {nn.open = array<i64: 1, 0>}) {
    %k = nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 1, 0>]} : (tensor<8x2xf32>) -> tensor<8x2xf32> {
    ^bb0(%i: tensor<8x2xf32>):
      %a = nn.abs %i : (tensor<8x2xf32>) -> tensor<8x2xf32>
      nn.yield %a : tensor<8x2xf32>
    }
    %p = nn.kernel(%x) {open = [array<i64: 1, 0>, affine_map<(n) -> ((2 * n - 6) floordiv 4 * 3, 0)>]} : (tensor<8x2xf32>) -> tensor<6x2xf32> {
    ^bb0(%i: tensor<8x2xf32>):
      %s = nn.slice %i {starts = array<i64: 0, 0>, sizes = array<i64: 6, 2>, steps = array<i64: 1, 1>} : (tensor<8x2xf32>) -> tensor<6x2xf32>
      nn.yield %s : tensor<6x2xf32>
    }
    func.return
  }
}

func.func private @g() attributes {nn.value = #nn.open_extent<"height", 2 to 8, "width", 8 to 160 by 8>, nn.open = affine_map<(h, w) -> (0, h, w floordiv 2)>}

// CHECK: builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
// CHECK: nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 1, 0>]} : (tensor<8x2xf32>) -> tensor<8x2xf32> {
// CHECK: nn.kernel(%x) {open = [array<i64: 1, 0>, affine_map<(d0) -> (((((d0 * 2) + -6) floordiv 4) * 3), 0)>]} : (tensor<8x2xf32>) -> tensor<6x2xf32> {
// CHECK: func.func private @g() -> () attributes {nn.value = #nn.open_extent<"height", 2 to 8, "width", 8 to 160 by 8>, nn.open = affine_map<(d0, d1) -> (0, d0, (d1 floordiv 2))>}
