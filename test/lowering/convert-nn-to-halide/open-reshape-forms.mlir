// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// The numbers of elements have two forms, which agree for all extents of a run.

func.func @f(%x: tensor<2x2x3xf32, #nn.extents<[d0, d1, 3], "n", 1 to 2, "m", 1 to 2>>) -> tensor<12xf32, #nn.extents<[(3 * d0 + 3 * d1 - 4) / 2 * 3], "n", 1 to 2, "m", 1 to 2>> {
%y = nn.kernel(%x) : (tensor<2x2x3xf32, #nn.extents<[d0, d1, 3], "n", 1 to 2, "m", 1 to 2>>) -> tensor<12xf32, #nn.extents<[(3 * d0 + 3 * d1 - 4) / 2 * 3], "n", 1 to 2, "m", 1 to 2>> {
^bb0(%a: tensor<2x2x3xf32, #nn.extents<[d0, d1, 3], "n", 1 to 2, "m", 1 to 2>>):
  %v = nn.reshape %a : (tensor<2x2x3xf32, #nn.extents<[d0, d1, 3], "n", 1 to 2, "m", 1 to 2>>) -> tensor<12xf32, #nn.extents<[(3 * d0 + 3 * d1 - 4) / 2 * 3], "n", 1 to 2, "m", 1 to 2>>
  nn.yield %v : tensor<12xf32, #nn.extents<[(3 * d0 + 3 * d1 - 4) / 2 * 3], "n", 1 to 2, "m", 1 to 2>>
}
func.return %y : tensor<12xf32, #nn.extents<[(3 * d0 + 3 * d1 - 4) / 2 * 3], "n", 1 to 2, "m", 1 to 2>>
}

// CHECK: %0 = halide.extent %in0 1
// CHECK: halide.load %in0[%{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}}]
