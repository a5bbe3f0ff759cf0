// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// A window that ends behind the image for some number is padded there, also where it does not for the largest one: 12
// elements are just enough, 11 are not. Of 2 n elements, a number of them, the same windows leave one over.

// CHECK:       halide.pipeline @max_pool_0
// CHECK:         %padded = halide.func "padded"(x %{{.*}}, c %{{.*}}, n %{{.*}}) in [13, 4, 1] : f32 {
func.func @f(%x: tensor<1x4x12xf32, #nn.extents<[1, 4, d0], "n", 2 to 12>>, %z: tensor<1x4x12xf32, #nn.extents<[1, 4, 2 * d0], "n", 2 to 6>>) -> (tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>>, tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>>, tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>>, tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>>) {
%p = nn.kernel(%x) : (tensor<1x4x12xf32, #nn.extents<[1, 4, d0], "n", 2 to 12>>) -> tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>> {
^bb0(%a: tensor<1x4x12xf32, #nn.extents<[1, 4, d0], "n", 2 to 12>>):
  %q = nn.max_pool %a {window = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, ceil_mode = true} : (tensor<1x4x12xf32, #nn.extents<[1, 4, d0], "n", 2 to 12>>) -> tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>>
  nn.yield %q : tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>>
}

// CHECK:       halide.pipeline @max_pool_1
// CHECK-NOT:     "padded"
%r = nn.kernel(%z) : (tensor<1x4x12xf32, #nn.extents<[1, 4, 2 * d0], "n", 2 to 6>>) -> tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>> {
^bb0(%a: tensor<1x4x12xf32, #nn.extents<[1, 4, 2 * d0], "n", 2 to 6>>):
  %q = nn.max_pool %a {window = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, ceil_mode = true} : (tensor<1x4x12xf32, #nn.extents<[1, 4, 2 * d0], "n", 2 to 6>>) -> tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>>
  nn.yield %q : tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>>
}

// Of the last window of an average as many elements count as there are, for the same reason.

// CHECK:       halide.pipeline @average_pool_2
// CHECK:         %out = halide.func "out"
// CHECK:           halide.extent %in0 0
// CHECK:           halide.min
%s = nn.kernel(%x) : (tensor<1x4x12xf32, #nn.extents<[1, 4, d0], "n", 2 to 12>>) -> tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>> {
^bb0(%a: tensor<1x4x12xf32, #nn.extents<[1, 4, d0], "n", 2 to 12>>):
  %q = nn.average_pool %a {window = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, ceil_mode = true} : (tensor<1x4x12xf32, #nn.extents<[1, 4, d0], "n", 2 to 12>>) -> tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>>
  nn.yield %q : tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>>
}

// CHECK:       halide.pipeline @average_pool_3
// CHECK:         %out = halide.func "out"
// CHECK-NOT:       halide.min
%t = nn.kernel(%z) : (tensor<1x4x12xf32, #nn.extents<[1, 4, 2 * d0], "n", 2 to 6>>) -> tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>> {
^bb0(%a: tensor<1x4x12xf32, #nn.extents<[1, 4, 2 * d0], "n", 2 to 6>>):
  %q = nn.average_pool %a {window = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, ceil_mode = true} : (tensor<1x4x12xf32, #nn.extents<[1, 4, 2 * d0], "n", 2 to 6>>) -> tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>>
  nn.yield %q : tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>>
}
func.return %p, %r, %s, %t : tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>>, tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>>, tensor<1x4x6xf32, #nn.extents<[1, 4, (d0 + 1) / 2], "n", 2 to 12>>, tensor<1x4x6xf32, #nn.extents<[1, 4, d0], "n", 2 to 6>>
}
