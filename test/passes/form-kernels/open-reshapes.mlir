// RUN: autodeploy-opt %s --form-kernels | filecheck %s

// A reshape that leaves the elements of each run at their places in memory is left to the driver: an open axis takes in
// the axes that follow it, or it stays. A kernel moves the elements where an axis before the open one is joined with it.

// CHECK:      %rows = nn.reshape %x
// CHECK-NEXT: %flat = nn.reshape %x
// CHECK-NEXT: %split = nn.reshape %y
// CHECK-NEXT: %joined = nn.reshape %y
// CHECK-NEXT: %moved = nn.kernel(%y)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nn.reshape
// CHECK-NEXT: nn.yield
// CHECK-NEXT: }
// CHECK-NEXT: %apart = nn.kernel(%rows)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: nn.reshape
// CHECK-NEXT: nn.yield
// CHECK-NEXT: }
// CHECK-NEXT: func.return
builtin.module attributes {nn.open_extent = #nn.open_extent<"n", 2 to 6>} {
  func.func @main(%x: tensor<6x4x2xf32, #nn.extents<[d0, 4, 2], "n", 2 to 6>>, %y: tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>) -> (tensor<24x2xf32, #nn.extents<[4 * d0, 2], "n", 2 to 6>>, tensor<48xf32, #nn.extents<[8 * d0], "n", 2 to 6>>, tensor<3x6x1x2xf32, #nn.extents<[3, d0, 1, 2], "n", 2 to 6>>, tensor<3x12xf32, #nn.extents<[3, 2 * d0], "n", 2 to 6>>, tensor<18x2xf32, #nn.extents<[3 * d0, 2], "n", 2 to 6>>, tensor<4x6x2xf32, #nn.extents<[4, d0, 2], "n", 2 to 6>>) {
    %rows = nn.reshape %x : (tensor<6x4x2xf32, #nn.extents<[d0, 4, 2], "n", 2 to 6>>) -> tensor<24x2xf32, #nn.extents<[4 * d0, 2], "n", 2 to 6>>
    %flat = nn.reshape %x : (tensor<6x4x2xf32, #nn.extents<[d0, 4, 2], "n", 2 to 6>>) -> tensor<48xf32, #nn.extents<[8 * d0], "n", 2 to 6>>
    %split = nn.reshape %y : (tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>) -> tensor<3x6x1x2xf32, #nn.extents<[3, d0, 1, 2], "n", 2 to 6>>
    %joined = nn.reshape %y : (tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>) -> tensor<3x12xf32, #nn.extents<[3, 2 * d0], "n", 2 to 6>>
    %moved = nn.reshape %y : (tensor<3x6x2xf32, #nn.extents<[3, d0, 2], "n", 2 to 6>>) -> tensor<18x2xf32, #nn.extents<[3 * d0, 2], "n", 2 to 6>>
    %apart = nn.reshape %rows : (tensor<24x2xf32, #nn.extents<[4 * d0, 2], "n", 2 to 6>>) -> tensor<4x6x2xf32, #nn.extents<[4, d0, 2], "n", 2 to 6>>
    func.return %rows, %flat, %split, %joined, %moved, %apart : tensor<24x2xf32, #nn.extents<[4 * d0, 2], "n", 2 to 6>>, tensor<48xf32, #nn.extents<[8 * d0], "n", 2 to 6>>, tensor<3x6x1x2xf32, #nn.extents<[3, d0, 1, 2], "n", 2 to 6>>, tensor<3x12xf32, #nn.extents<[3, 2 * d0], "n", 2 to 6>>, tensor<18x2xf32, #nn.extents<[3 * d0, 2], "n", 2 to 6>>, tensor<4x6x2xf32, #nn.extents<[4, d0, 2], "n", 2 to 6>>
  }
}
