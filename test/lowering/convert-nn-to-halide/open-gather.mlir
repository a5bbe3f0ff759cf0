// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// An index below zero counts from the end of a run, and none means an element behind it.

// CHECK:       halide.pipeline @gather_0
// CHECK:         [[END:%.*]] = halide.extent %in0 1
// CHECK:         [[BACK:%.*]] = halide.add {{.*}}, [[END]] : i32
// CHECK:         halide.select {{.*}}, [[BACK]]
// CHECK:         [[LAST:%.*]] = halide.sub [[END]]
// CHECK:         halide.min {{.*}}, [[LAST]] : i32
// CHECK:         halide.load %in0[%x, {{.*}}]
func.func @f(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, %i: tensor<2xi64>) -> tensor<2x4xf32> {
%p = nn.kernel(%x, %i) : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<2xi64>) -> tensor<2x4xf32> {
^bb0(%a: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, %b: tensor<2xi64>):
  %q = nn.gather %a, %b {axis = 0 : i64} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 1 to 8>>, tensor<2xi64>) -> tensor<2x4xf32>
  nn.yield %q : tensor<2x4xf32>
}
func.return %p : tensor<2x4xf32>
}
