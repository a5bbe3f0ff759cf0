// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// A number that only a run knows, and its range; how axes follow it, by a coefficient, by a map, or by a map for each
// factor. Numbers may be derived from others.

builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
  func.func private @f() attributes {nn.value = #nn.open_extent<"height", 2 to 8, "width", 8 to 160 by 8>}
  func.func private @g() attributes {nn.value = #nn.open_extent<"h", 1 to 3, "w", 1 to 2 derived ([3, 1] = [2, 2, 3], [3, 2] = [1, 2, 3, 4, 5, 6])>}
  func.func @steps() {
    nn.for steps 8 open array<i64: 1> from () over () with () {backwards = array<i64>} : (), (), () -> () {
    ^bb0(%i: tensor<i64>):
      nn.yield :
    }
    nn.for steps 6 open affine_map<(n) -> ((2 * n - 6) floordiv 4 * 3)> from () over () with () {backwards = array<i64>} : (), (), () -> () {
    ^bb0(%i: tensor<i64>):
      nn.yield :
    }
    nn.for steps 24 open affine_map<(h, w) -> ((w * 2 + h) floordiv 2)> from () over () with () {backwards = array<i64>} : (), (), () -> () {
    ^bb0(%i: tensor<i64>):
      nn.yield :
    }
    nn.for steps 24 open #nn.products<[affine_map<(b, n) -> (b)>, affine_map<(b, n) -> (n + 2)>]> from () over () with () {backwards = array<i64>} : (), (), () -> () {
    ^bb0(%i: tensor<i64>):
      nn.yield :
    }
    func.return
  }
}

// CHECK: builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
// CHECK: func.func private @f() -> () attributes {nn.value = #nn.open_extent<"height", 2 to 8, "width", 8 to 160 by 8>}
// CHECK: func.func private @g() -> () attributes {nn.value = #nn.open_extent<"h", 1 to 3, "w", 1 to 2 derived ([3, 1] = [2, 2, 3], [3, 2] = [1, 2, 3, 4, 5, 6])>}
// CHECK: nn.for steps 8 open array<i64: 1> from
// CHECK: nn.for steps 6 open affine_map<(d0) -> (((((d0 * 2) + -6) floordiv 4) * 3))> from
// CHECK: nn.for steps 24 open affine_map<(d0, d1) -> ((((d1 * 2) + d0) floordiv 2))> from
// CHECK: nn.for steps 24 open #nn.products<[affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> ((d1 + 2))>]> from
