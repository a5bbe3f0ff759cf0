// RUN: autodeploy-opt %s --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// A call of the library may have fewer rows of any operand where it says so.

// CHECK: nn.library_call "trees"(%x, %w) {rows}
// CHECK-NEXT: nn.library_call "scatter"(%w, %i, %x) {rows}
builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
  func.func @main(%x: tensor<8x4xf64, #nn.extents<[d0, 4], "batch", 1 to 8>>, %w: tensor<3xf64>, %i: tensor<8xi64, #nn.extents<[d0], "batch", 1 to 8>>) -> (tensor<8x2xf64, #nn.extents<[d0, 2], "batch", 1 to 8>>, tensor<3xf64>) {
    %y = nn.library_call "trees"(%x, %w) {rows} : (tensor<8x4xf64, #nn.extents<[d0, 4], "batch", 1 to 8>>, tensor<3xf64>) -> tensor<8x2xf64, #nn.extents<[d0, 2], "batch", 1 to 8>>
    %z = nn.library_call "scatter"(%w, %i, %x) {rows} : (tensor<3xf64>, tensor<8xi64, #nn.extents<[d0], "batch", 1 to 8>>, tensor<8x4xf64, #nn.extents<[d0, 4], "batch", 1 to 8>>) -> tensor<3xf64>
    func.return %y, %z : tensor<8x2xf64, #nn.extents<[d0, 2], "batch", 1 to 8>>, tensor<3xf64>
  }
}

// -----

// CHECK: node 'y': it reads several places along it
builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
  func.func @main(%x: tensor<8x4xf64, #nn.extents<[d0, 4], "batch", 1 to 8>>, %w: tensor<3x8xf64, #nn.extents<[3, d0], "batch", 1 to 8>>) -> tensor<8x2xf64, #nn.extents<[d0, 2], "batch", 1 to 8>> {
    %y = nn.library_call "trees"(%x, %w) {rows} : (tensor<8x4xf64, #nn.extents<[d0, 4], "batch", 1 to 8>>, tensor<3x8xf64, #nn.extents<[3, d0], "batch", 1 to 8>>) -> tensor<8x2xf64, #nn.extents<[d0, 2], "batch", 1 to 8>>
    func.return %y : tensor<8x2xf64, #nn.extents<[d0, 2], "batch", 1 to 8>>
  }
}

// -----

// CHECK: node 'y': nn.library_call cannot have it
builtin.module attributes {nn.open_extent = #nn.open_extent<"batch", 1 to 8>} {
  func.func @main(%x: tensor<8x4xf64, #nn.extents<[d0, 4], "batch", 1 to 8>>, %w: tensor<3xf64>) -> tensor<8x2xf64, #nn.extents<[d0, 2], "batch", 1 to 8>> {
    %y = nn.library_call "trees"(%x, %w) : (tensor<8x4xf64, #nn.extents<[d0, 4], "batch", 1 to 8>>, tensor<3xf64>) -> tensor<8x2xf64, #nn.extents<[d0, 2], "batch", 1 to 8>>
    func.return %y : tensor<8x2xf64, #nn.extents<[d0, 2], "batch", 1 to 8>>
  }
}

// -----

// A function that goes by the strides of its buffers takes any axis of its first operand; the result is as open along
// the innermost one where it has as many elements.

// CHECK:      nn.library_call "order"(%x) {strided}
// CHECK-NEXT: nn.library_call "order"(%z) {strided} : {{.*}} -> tensor<4x3xi64>
// CHECK-NEXT: nn.library_call "order"(%z) {strided} : {{.*}} -> tensor<4x8xi64, #nn.extents<[4, d0], "n", 3 to 8>>
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, %z: tensor<4x8xf32, #nn.extents<[4, d0], "n", 3 to 8>>) -> (tensor<8x4xi64, #nn.extents<[d0, 4], "n", 3 to 8>>, tensor<4x3xi64>, tensor<4x8xi64, #nn.extents<[4, d0], "n", 3 to 8>>) {
    %beside = nn.library_call "order"(%x) {strided} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<8x4xi64, #nn.extents<[d0, 4], "n", 3 to 8>>
    %first = nn.library_call "order"(%z) {strided} : (tensor<4x8xf32, #nn.extents<[4, d0], "n", 3 to 8>>) -> tensor<4x3xi64>
    %all = nn.library_call "order"(%z) {strided} : (tensor<4x8xf32, #nn.extents<[4, d0], "n", 3 to 8>>) -> tensor<4x8xi64, #nn.extents<[4, d0], "n", 3 to 8>>
    func.return %beside, %first, %all : tensor<8x4xi64, #nn.extents<[d0, 4], "n", 3 to 8>>, tensor<4x3xi64>, tensor<4x8xi64, #nn.extents<[4, d0], "n", 3 to 8>>
  }
}

// -----

// A function that goes by the size of its first operand takes any axis of it.

// CHECK: nn.library_call "roi_align"(%x, %r) {sized}
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%x: tensor<1x3x8x8xf32, #nn.extents<[1, 3, d0, d0], "n", 3 to 8>>, %r: tensor<5x4xf32>) -> tensor<5x3x2x2xf32> {
    %y = nn.library_call "roi_align"(%x, %r) {sized} : (tensor<1x3x8x8xf32, #nn.extents<[1, 3, d0, d0], "n", 3 to 8>>, tensor<5x4xf32>) -> tensor<5x3x2x2xf32>
    func.return %y : tensor<5x3x2x2xf32>
  }
}

// -----

// CHECK: node 'y': only its images can have it
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%x: tensor<1x3x8x8xf32>, %r: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<8x3x2x2xf32, #nn.extents<[d0, 3, 2, 2], "n", 3 to 8>> {
    %y = nn.library_call "roi_align"(%x, %r) {sized} : (tensor<1x3x8x8xf32>, tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<8x3x2x2xf32, #nn.extents<[d0, 3, 2, 2], "n", 3 to 8>>
    func.return %y : tensor<8x3x2x2xf32, #nn.extents<[d0, 3, 2, 2], "n", 3 to 8>>
  }
}

// -----

// CHECK: node 'more': it takes 4 elements along it, where a run may have 3
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%z: tensor<4x8xf32, #nn.extents<[4, d0], "n", 3 to 8>>) -> tensor<4x4xi64> {
    %more = nn.library_call "order"(%z) {strided} : (tensor<4x8xf32, #nn.extents<[4, d0], "n", 3 to 8>>) -> tensor<4x4xi64>
    func.return %more : tensor<4x4xi64>
  }
}

// -----

// Places that data says lie before the end of a run; constant ones need not.

// CHECK: node 'constant': it joins or reads several places along it, or places that data says
// CHECK-NOT: 'given'
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 3 to 8>} {
  func.func @main(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, %i: tensor<2xi64>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
    %given = nn.gather %x, %i {axis = 0 : i64} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, tensor<2xi64>) -> tensor<2x4xf32>
    %k = nn.constant #nn.dense<[0, 5] : tensor<2xi64>>
    %constant = nn.gather %x, %k {axis = 0 : i64} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, tensor<2xi64>) -> tensor<2x4xf32>
    func.return %given, %constant : tensor<2x4xf32>, tensor<2x4xf32>
  }
}
