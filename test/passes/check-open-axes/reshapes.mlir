// RUN: autodeploy-opt %s --check-open-axes --split-input-file | filecheck %s

// A reshape may join open axes: to a product of two numbers, or to a multiple of one. The inputs of the function bring
// the numbers by which one takes them apart.

// CHECK:      %rows = nn.reshape %x :
// CHECK-NEXT: %more = nn.neg %rows
// CHECK-NEXT: %apart = nn.reshape %more, %x :
builtin.module attributes {nn.open_extent = #nn.open_extent<"b", 1 to 4, "n", 2 to 6>} {
  func.func @main(%x: tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 2 to 6>>) -> (tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 2 to 6>>, tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 2 to 6>>) {
    %rows = nn.reshape %x : (tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 2 to 6>>) -> tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 2 to 6>>
    %more = nn.neg %rows : (tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 2 to 6>>) -> tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 2 to 6>>
    %apart = nn.reshape %more : (tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 2 to 6>>) -> tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 2 to 6>>
    func.return %rows, %apart : tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 2 to 6>>, tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 2 to 6>>
  }
}

// -----

// The number of one axis follows from its multiple. A reshape that moves nothing in memory needs none.

// CHECK:      %rows = nn.reshape %x :
// CHECK-NEXT: %split = nn.reshape %x :
// CHECK-NEXT: %back = nn.reshape %rows :
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 2 to 6>} {
  func.func @main(%x: tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>) -> (tensor<18x2xf32, #nn.extents<[3 * d0, 2], "n", 2 to 6>>, tensor<3x6x1x2xf32, #nn.extents<[3, d0, 1, 2], "n", 2 to 6>>, tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>) {
    %rows = nn.reshape %x : (tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>) -> tensor<18x2xf32, #nn.extents<[3 * d0, 2], "n", 2 to 6>>
    %split = nn.reshape %x : (tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>) -> tensor<3x6x1x2xf32, #nn.extents<[3, d0, 1, 2], "n", 2 to 6>>
    %back = nn.reshape %rows : (tensor<18x2xf32, #nn.extents<[3 * d0, 2], "n", 2 to 6>>) -> tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>
    func.return %rows, %split, %back : tensor<18x2xf32, #nn.extents<[3 * d0, 2], "n", 2 to 6>>, tensor<3x6x1x2xf32, #nn.extents<[3, d0, 1, 2], "n", 2 to 6>>, tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>
  }
}
