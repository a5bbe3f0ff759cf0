// RUN: autodeploy-opt %s --check-open-axes --split-input-file --verify-diagnostics | filecheck %s

// An extent in no form is a derived number, and others grow with it. A tensor of as many elements says it where no
// operand does.

// CHECK: nn.open_extent = #nn.open_extent<"h", 1 to 4, "w", 2 to 5 derived ([4, 4] = [1, 2, 2, 2, 2, 3, 3, 4, 3, 4, 5, 6, 3, 5, 6, 7])>
// CHECK: %0 = nn.derived : tensor<7xui8, #nn.extents<[d2], "h", 1 to 4, "w", 2 to 5 derived ("[[D:.*]]")>>
// CHECK: %up = nn.resize %x, %0 {{.*}}places = [#nn<places constant>, #nn<places half_pixel>]} : {{.*}} -> tensor<1x7xf32, #nn.extents<[1, d2], "h", 1 to 4, "w", 2 to 5 derived ("[[D]]")>>
// CHECK: %two = nn.concat %up, %up {axis = 1 : i64} : {{.*}} -> tensor<1x14xf32, #nn.extents<[1, 2 * d2],
// CHECK: %wide = nn.broadcast %two : {{.*}} -> tensor<5x14xf32, #nn.extents<[d1, 2 * d2],
// CHECK: %flat = nn.reshape %wide, %w : {{.*}} -> tensor<70xf32, #nn.extents<[(2 * d1) * d2],
builtin.module attributes {nn.open_extent = #nn.open_extent<"h", 1 to 4, "w", 2 to 5>} {
  func.func @main(%x: tensor<1x4xf32, #nn.extents<[1, d0], "h", 1 to 4, "w", 2 to 5>>, %w: tensor<5xf32, #nn.extents<[d1], "h", 1 to 4, "w", 2 to 5>>) -> (tensor<70xf32, #nn.extents<[2 * (d0 * d1 / 3 + 1) * d1], "h", 1 to 4, "w", 2 to 5>>, tensor<5xf32, #nn.extents<[d1], "h", 1 to 4, "w", 2 to 5>>) {
    %up = nn.resize %x {interpolation = #nn<interpolation linear>, numerators = #nn.extents<[1, 2 * d0], "h", 1 to 4, "w", 2 to 5>, offsets = #nn.extents<[0, d0 - d0 * d1 / 3 - 1], "h", 1 to 4, "w", 2 to 5>, denominators = #nn.extents<[1, d0 * d1 / 3 * 2 + 2], "h", 1 to 4, "w", 2 to 5>} : (tensor<1x4xf32, #nn.extents<[1, d0], "h", 1 to 4, "w", 2 to 5>>) -> tensor<1x7xf32, #nn.extents<[1, d0 * d1 / 3 + 1], "h", 1 to 4, "w", 2 to 5>>
    %two = nn.concat %up, %up {axis = 1 : i64} : (tensor<1x7xf32, #nn.extents<[1, d0 * d1 / 3 + 1], "h", 1 to 4, "w", 2 to 5>>, tensor<1x7xf32, #nn.extents<[1, d0 * d1 / 3 + 1], "h", 1 to 4, "w", 2 to 5>>) -> tensor<1x14xf32, #nn.extents<[1, 2 * (d0 * d1 / 3 + 1)], "h", 1 to 4, "w", 2 to 5>>
    %wide = nn.broadcast %two : (tensor<1x14xf32, #nn.extents<[1, 2 * (d0 * d1 / 3 + 1)], "h", 1 to 4, "w", 2 to 5>>) -> tensor<5x14xf32, #nn.extents<[d1, 2 * (d0 * d1 / 3 + 1)], "h", 1 to 4, "w", 2 to 5>>
    %flat = nn.reshape %wide : (tensor<5x14xf32, #nn.extents<[d1, 2 * (d0 * d1 / 3 + 1)], "h", 1 to 4, "w", 2 to 5>>) -> tensor<70xf32, #nn.extents<[2 * (d0 * d1 / 3 + 1) * d1], "h", 1 to 4, "w", 2 to 5>>
    func.return %flat, %w : tensor<70xf32, #nn.extents<[2 * (d0 * d1 / 3 + 1) * d1], "h", 1 to 4, "w", 2 to 5>>, tensor<5xf32, #nn.extents<[d1], "h", 1 to 4, "w", 2 to 5>>
  }
}

// -----

// Tables are a part of the program, and not of any size.

// CHECK: extents that are no sums or products of 'h' and 'w' are looked up in tables of 1001000 bytes, 262144 at most; a step, such as --dynamic h=0..1000:2 --dynamic w=2..1000:2, or parts of fewer numbers may help
builtin.module attributes {nn.open_extent = #nn.open_extent<"h", 0 to 1000, "w", 1 to 1000>} {
  func.func @main(%x: tensor<1000xf32, #nn.extents<[d0], "h", 0 to 1000, "w", 1 to 1000>>, %w: tensor<1000xf32, #nn.extents<[d1], "h", 0 to 1000, "w", 1 to 1000>>, %one: tensor<1xf32>) -> tensor<34xf32, #nn.extents<[d0 * d1 / 30000 + 1], "h", 0 to 1000, "w", 1 to 1000>> {
    %z = nn.broadcast %one : (tensor<1xf32>) -> tensor<34xf32, #nn.extents<[d0 * d1 / 30000 + 1], "h", 0 to 1000, "w", 1 to 1000>>
    func.return %z : tensor<34xf32, #nn.extents<[d0 * d1 / 30000 + 1], "h", 0 to 1000, "w", 1 to 1000>>
  }
}
