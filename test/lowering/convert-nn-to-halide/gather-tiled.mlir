// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Rows that are stored in tiles of 8: an index is one of 20 rows, its tile and its place there.

// CHECK:       halide.pipeline @gather_0
// CHECK:         %[[LAST:.*]] = halide.const 19 : i32
// CHECK:         %[[ROW:.*]] = halide.min {{.*}}, %[[LAST]] : i32
// CHECK:         %[[TILE:.*]] = halide.div %[[ROW]], {{.*}} : i32
// CHECK:         %[[PLACE:.*]] = halide.mod %[[ROW]], {{.*}} : i32
// CHECK:         halide.load %in0[%[[PLACE]], {{.*}}, %[[TILE]]]
func.func @f(%x: tensor<3x7x8xf32>, %i: tensor<2xi64>) -> tensor<2x7xf32> {
%p = nn.kernel(%x, %i) : (tensor<3x7x8xf32>, tensor<2xi64>) -> tensor<2x7xf32> {
^bb0(%a: tensor<3x7x8xf32>, %b: tensor<2xi64>):
  %q = nn.gather %a, %b {axis = 0 : i64, x_layout = #nn.tiled<[0, 1], 0 by 8 of 20>} : (tensor<3x7x8xf32>, tensor<2xi64>) -> tensor<2x7xf32>
  nn.yield %q : tensor<2x7xf32>
}
func.return %p : tensor<2x7xf32>
}
