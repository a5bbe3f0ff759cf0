// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Corner to corner: element i stands at i * (before - 1) / (after - 1), of the extents of a run.

// CHECK:       halide.pipeline @resize_0
// CHECK:         [[AFTER:%.*]] = halide.extent %in1 0
// CHECK:         [[LAST:%.*]] = halide.max {{.*}} : i32
// CHECK:         halide.mod {{.*}}, [[LAST]] : i32
// CHECK:         halide.div {{.*}}, [[LAST]] : i32
func.func @f(%half: tensor<1x4xf32>, %x: tensor<1x7xf32>) -> tensor<1x7xf32> {
%p = nn.kernel(%half, %x) {open = [affine_map<(n) -> (0, (n + 1) floordiv 2)>, array<i64: 0, 1>, array<i64: 0, 1>]} : (tensor<1x4xf32>, tensor<1x7xf32>) -> tensor<1x7xf32> {
^bb0(%a: tensor<1x4xf32>, %b: tensor<1x7xf32>):
  %q = nn.resize %a, %b {interpolation = #nn<interpolation linear>, numerators = array<i64: 1, 3>, offsets = array<i64: 0, 0>, denominators = array<i64: 1, 6>, places = [#nn<places constant>, #nn<places align_corners>], growths = [affine_map<(n) -> (0, (n + 1) floordiv 2)>, array<i64: 0, 1>]} : (tensor<1x4xf32>, tensor<1x7xf32>) -> tensor<1x7xf32>
  nn.yield %q : tensor<1x7xf32>
}
func.return %p : tensor<1x7xf32>
}
