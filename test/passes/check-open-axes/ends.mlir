// RUN: autodeploy-opt %s --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// Slices, joins and pads follow from the end that a run has of an open axis.

// CHECK:      nn.slice %x {starts = #nn.extents<[d0 - 1, 0], "n", 3 to 8>, sizes = array<i64: 1, 4>
// CHECK-NEXT: nn.slice %x {starts = array<i64: 2, 0>, sizes = #nn.extents<[d0 - 2, 4], "n", 3 to 8>
// CHECK-NEXT: nn.concat %x, %w, %x {axis = 0 : i64} : {{.*}} -> tensor<19x4xf32, #nn.extents<[2 * d0 + 3, 4], "n", 3 to 8>>
// CHECK-NEXT: nn.pad %x {pads = array<i64: 1, 0, 2, 0>} : {{.*}} -> tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, %w: tensor<3x4xf32>) -> (tensor<1x4xf32>, tensor<6x4xf32, #nn.extents<[d0 - 2, 4], "n", 3 to 8>>, tensor<19x4xf32, #nn.extents<[2 * d0 + 3, 4], "n", 3 to 8>>, tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>) {
    %last = nn.slice %x {starts = #nn.extents<[d0 - 1, 0], "n", 3 to 8>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<1x4xf32>
    %tail = nn.slice %x {starts = array<i64: 2, 0>, sizes = #nn.extents<[d0 - 2, 4], "n", 3 to 8>, steps = array<i64: 1, 1>} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<6x4xf32, #nn.extents<[d0 - 2, 4], "n", 3 to 8>>
    %joined = nn.concat %x, %w, %x {axis = 0 : i64} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, tensor<3x4xf32>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<19x4xf32, #nn.extents<[2 * d0 + 3, 4], "n", 3 to 8>>
    %padded = nn.pad %x {pads = array<i64: 1, 0, 2, 0>} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>
    func.return %last, %tail, %joined, %padded : tensor<1x4xf32>, tensor<6x4xf32, #nn.extents<[d0 - 2, 4], "n", 3 to 8>>, tensor<19x4xf32, #nn.extents<[2 * d0 + 3, 4], "n", 3 to 8>>, tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>
  }
}

// -----

// A slice of the first elements, as many as the least number says, is there in each run. An axis may have two elements
// for each of the number.

// CHECK:      nn.slice %x {starts = array<i64: 2, 0>, sizes = array<i64: 2, 6>, steps = array<i64: -2, 1>}
// CHECK-NEXT: nn.relu
// CHECK-NEXT: nn.slice %y {starts = array<i64: 0>, sizes = array<i64: 6>, steps = array<i64: 1>}
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%x: tensor<8x6xf32, #nn.extents<[d0, 6], "n", 3 to 8>>, %y: tensor<16xf32, #nn.extents<[2 * d0], "n", 3 to 8>>) -> (tensor<2x6xf32>, tensor<6xf32>) {
    %s = nn.slice %x {starts = array<i64: 2, 0>, sizes = array<i64: 2, 6>, steps = array<i64: -2, 1>} : (tensor<8x6xf32, #nn.extents<[d0, 6], "n", 3 to 8>>) -> tensor<2x6xf32>
    %first = nn.relu %s : (tensor<2x6xf32>) -> tensor<2x6xf32>
    %t = nn.slice %y {starts = array<i64: 0>, sizes = array<i64: 6>, steps = array<i64: 1>} : (tensor<16xf32, #nn.extents<[2 * d0], "n", 3 to 8>>) -> tensor<6xf32>
    %second = nn.relu %t : (tensor<6xf32>) -> tensor<6xf32>
    func.return %first, %second : tensor<2x6xf32>, tensor<6xf32>
  }
}

// -----

// Two open extents that are joined have the sum of their numbers. An extent that is read as a value is the sum of those
// of inputs.

// CHECK:      nn.concat %x, %y
// CHECK-NEXT: nn.add %joined, %z
// CHECK:      nn.extent
// CHECK:      func.return
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 0 to 8, "m", 1 to 5>} {
  func.func @main(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8, "m", 1 to 5>>, %y: tensor<5x4xf32, #nn.extents<[d1, 4], "n", 0 to 8, "m", 1 to 5>>, %z: tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>) -> (tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>, tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>, tensor<i64>) {
    %joined = nn.concat %x, %y {axis = 0 : i64} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 0 to 8, "m", 1 to 5>>, tensor<5x4xf32, #nn.extents<[d1, 4], "n", 0 to 8, "m", 1 to 5>>) -> tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>
    %sum = nn.add %joined, %z : (tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>, tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>) -> tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>
    %rows = nn.extent %z {axis = 0 : i64} : (tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>) -> tensor<i64>
    func.return %joined, %sum, %rows : tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>, tensor<13x4xf32, #nn.extents<[d0 + d1, 4], "n", 0 to 8, "m", 1 to 5>>, tensor<i64>
  }
}

// -----

// The first of constant places are looked up up to the end of a run; all of them need as many elements as they say.

// CHECK: node 'all': it joins or reads several places along it
// CHECK-NOT: node 'first'
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 1 to 3>} {
  func.func @main(%x: tensor<3xf32, #nn.extents<[d0], "n", 1 to 3>>) -> (tensor<3xf32, #nn.extents<[d0], "n", 1 to 3>>, tensor<3xf32>) {
    %places = nn.constant #nn.dense<[-1, 1, -3] : tensor<3xi64>>
    %some = nn.slice %places {starts = array<i64: 0>, sizes = #nn.extents<[d0], "n", 1 to 3>, steps = array<i64: 1>} : (tensor<3xi64>) -> tensor<3xi64, #nn.extents<[d0], "n", 1 to 3>>
    %first = nn.gather %x, %some {axis = 0 : i64} : (tensor<3xf32, #nn.extents<[d0], "n", 1 to 3>>, tensor<3xi64, #nn.extents<[d0], "n", 1 to 3>>) -> tensor<3xf32, #nn.extents<[d0], "n", 1 to 3>>
    %all = nn.gather %x, %places {axis = 0 : i64} : (tensor<3xf32, #nn.extents<[d0], "n", 1 to 3>>, tensor<3xi64>) -> tensor<3xf32>
    func.return %first, %all : tensor<3xf32, #nn.extents<[d0], "n", 1 to 3>>, tensor<3xf32>
  }
}
