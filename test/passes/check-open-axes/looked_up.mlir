// RUN: autodeploy-opt %s --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// A slice from a place in no known form looks its start up, and one of a constant computes it. One from a place in a
// known form stays.

// CHECK: %known = nn.slice %x
// CHECK-NEXT: %[[COUNT:.*]] = nn.constant #nn.dense<[0, 1, 2] : tensor<3xi64>>
// CHECK-NEXT: %[[FIRST:.*]] = nn.slice %[[COUNT]] {{.*}} -> tensor<3xi64, #nn.extents<[d0 - 1], "n", 2 to 4>>
// CHECK-NEXT: %[[N:.*]] = nn.extent %x
// CHECK-NEXT: %[[LEAST:.*]] = nn.constant #nn.dense<-2 : tensor<i64>>
// CHECK-NEXT: %[[PLACE:.*]] = nn.add %[[N]], %[[LEAST]]
// CHECK-NEXT: %[[STARTS:.*]] = nn.constant #nn.dense<[0, 1, 0] : tensor<3xi64>>
// CHECK-NEXT: %[[START:.*]] = nn.gather %[[STARTS]], %[[PLACE]] {axis = 0 : i64}
// CHECK-NEXT: %[[INDEX:.*]] = nn.add %[[FIRST]], %[[START]]
// CHECK-NEXT: %moved = nn.gather %x, %[[INDEX]] {axis = 0 : i64}
// CHECK: %closed = nn.gather %w, %{{.*}} {axis = 0 : i64} : (tensor<4x2xf32>, tensor<1xi64>)
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 2 to 4>} {
  func.func @main(%x: tensor<4xf32, #nn.extents<[d0], "n", 2 to 4>>, %w: tensor<4x2xf32>) -> (tensor<3xf32, #nn.extents<[d0 - 1], "n", 2 to 4>>, tensor<3xf32, #nn.extents<[d0 - 1], "n", 2 to 4>>, tensor<1x2xf32>) {
    %known = nn.slice %x {starts = #nn.extents<[(d0 - 2) / 2], "n", 2 to 4>, sizes = #nn.extents<[d0 - 1], "n", 2 to 4>, steps = array<i64: 1>} : (tensor<4xf32, #nn.extents<[d0], "n", 2 to 4>>) -> tensor<3xf32, #nn.extents<[d0 - 1], "n", 2 to 4>>
    %moved = nn.slice %x {starts = #nn.extents<[d0 - d0 / 2 * 2], "n", 2 to 4>, sizes = #nn.extents<[d0 - 1], "n", 2 to 4>, steps = array<i64: 1>} : (tensor<4xf32, #nn.extents<[d0], "n", 2 to 4>>) -> tensor<3xf32, #nn.extents<[d0 - 1], "n", 2 to 4>>
    %closed = nn.slice %w {starts = #nn.extents<[d0 - 1, 0], "n", 2 to 4>, sizes = array<i64: 1, 2>, steps = array<i64: 1, 1>} : (tensor<4x2xf32>) -> tensor<1x2xf32>
    func.return %known, %moved, %closed : tensor<3xf32, #nn.extents<[d0 - 1], "n", 2 to 4>>, tensor<3xf32, #nn.extents<[d0 - 1], "n", 2 to 4>>, tensor<1x2xf32>
  }
}

// -----

// A pad reads a row of places along each axis of which the amounts differ between numbers; other axes are padded.

// CHECK: %[[WIDE:.*]] = nn.pad %x {pads = array<i64: 0, 1, 0, 0>, value = 2.000000e+00 : f64}
// CHECK: nn.constant #nn.dense<[0, 1, -1, 0, -1, 0, 1, 2] : tensor<2x4xi64>>
// CHECK: %[[FOUND:.*]] = nn.gather %[[WIDE]], %[[INDEX:.*]] {axis = 0 : i64}
// CHECK-NEXT: %[[ZERO:.*]] = nn.constant #nn.dense<0 : tensor<i64>>
// CHECK-NEXT: %[[TWO:.*]] = nn.constant #nn.dense<2.0{{.*}} : tensor<f32>>
// CHECK-NEXT: %[[ADDED:.*]] = nn.less %[[INDEX]], %[[ZERO]]
// CHECK-NEXT: %[[ROWS:.*]] = nn.reshape %[[ADDED]]
// CHECK-NEXT: %y = nn.where %[[ROWS]], %[[TWO]], %[[FOUND]]
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 2 to 3>} {
  func.func @main(%x: tensor<3x2xf32, #nn.extents<[d0, 2], "n", 2 to 3>>) -> tensor<4x3xf32, #nn.extents<[d0 + 1, 3], "n", 2 to 3>> {
    %y = nn.pad %x {pads = #nn.extents<[d0 - 2, 1, 3 - d0, 0], "n", 2 to 3>, value = 2.0e+00 : f64} : (tensor<3x2xf32, #nn.extents<[d0, 2], "n", 2 to 3>>) -> tensor<4x3xf32, #nn.extents<[d0 + 1, 3], "n", 2 to 3>>
    func.return %y : tensor<4x3xf32, #nn.extents<[d0 + 1, 3], "n", 2 to 3>>
  }
}

// -----

// The constant is not too large.

// CHECK: extent 'n' cannot be open, as 1 node cannot have it
// CHECK-NEXT: node 'y': it computes 7999992 bytes for all numbers of the range, of which 4194304 are stored at most; a range of fewer numbers, or a step, may help
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 2 to 1000>} {
  func.func @main(%x: tensor<1000xf32, #nn.extents<[d0], "n", 2 to 1000>>) -> tensor<1001xf32, #nn.extents<[d0 + 1], "n", 2 to 1000>> {
    %y = nn.pad %x {pads = #nn.extents<[d0 - d0 / 2 * 2, d0 / 2 * 2 - d0 + 1], "n", 2 to 1000>} : (tensor<1000xf32, #nn.extents<[d0], "n", 2 to 1000>>) -> tensor<1001xf32, #nn.extents<[d0 + 1], "n", 2 to 1000>>
    func.return %y : tensor<1001xf32, #nn.extents<[d0 + 1], "n", 2 to 1000>>
  }
}

// -----

// Slices of what no kernel can have are one slice, which a kernel computes.

// CHECK-NOT: nn.gather
// CHECK: %y = nn.slice %x {starts = array<i64: 1>, sizes = array<i64: 1>, steps = array<i64: 1>}
// CHECK-NEXT: return
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 2 to 4>} {
  func.func @main(%x: tensor<4xf32, #nn.extents<[d0], "n", 2 to 4>>) -> tensor<1xf32> {
    %some = nn.slice %x {starts = array<i64: 1>, sizes = #nn.extents<[d0 - d0 / 2 * 2 + 1], "n", 2 to 4>, steps = array<i64: 1>} : (tensor<4xf32, #nn.extents<[d0], "n", 2 to 4>>) -> tensor<2xf32, #nn.extents<[d0 - d0 / 2 * 2 + 1], "n", 2 to 4>>
    %y = nn.slice %some {starts = array<i64: 0>, sizes = array<i64: 1>, steps = array<i64: 1>} : (tensor<2xf32, #nn.extents<[d0 - d0 / 2 * 2 + 1], "n", 2 to 4>>) -> tensor<1xf32>
    func.return %y : tensor<1xf32>
  }
}
