// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Corner to corner: element i stands at i * (before - 1) / (after - 1), of the extents of a run.

// CHECK:       halide.pipeline @resize_0
// CHECK:         [[AFTER:%.*]] = halide.extent %in1 0
// CHECK:         [[LAST:%.*]] = halide.max {{.*}} : i32
// CHECK:         halide.mod {{.*}}, [[LAST]] : i32
// CHECK:         halide.div {{.*}}, [[LAST]] : i32
func.func @f(%half: tensor<1x4xf32, #nn.extents<[1, (d0 + 1) / 2], "n", 1 to 7>>, %x: tensor<1x7xf32, #nn.extents<[1, d0], "n", 1 to 7>>) -> tensor<1x7xf32, #nn.extents<[1, d0], "n", 1 to 7>> {
%p = nn.kernel(%half, %x) : (tensor<1x4xf32, #nn.extents<[1, (d0 + 1) / 2], "n", 1 to 7>>, tensor<1x7xf32, #nn.extents<[1, d0], "n", 1 to 7>>) -> tensor<1x7xf32, #nn.extents<[1, d0], "n", 1 to 7>> {
^bb0(%a: tensor<1x4xf32, #nn.extents<[1, (d0 + 1) / 2], "n", 1 to 7>>, %b: tensor<1x7xf32, #nn.extents<[1, d0], "n", 1 to 7>>):
  %q = nn.resize %a, %b {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 3>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 6>, places = [#nn<places constant>, #nn<places align_corners>]} : (tensor<1x4xf32, #nn.extents<[1, (d0 + 1) / 2], "n", 1 to 7>>, tensor<1x7xf32, #nn.extents<[1, d0], "n", 1 to 7>>) -> tensor<1x7xf32, #nn.extents<[1, d0], "n", 1 to 7>>
  nn.yield %q : tensor<1x7xf32, #nn.extents<[1, d0], "n", 1 to 7>>
}
func.return %p : tensor<1x7xf32, #nn.extents<[1, d0], "n", 1 to 7>>
}
