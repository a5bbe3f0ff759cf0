// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Row i of all sentences is row i % n of sentence i / n, for the n of a run. A tensor that is not loaded brings the
// number by which rows are taken apart.

// CHECK:       halide.pipeline @reshape_0(%in0: {{.*}}) to (%result0: {{.*}}) open [affine_map<(d0, d1) -> (0, d1, d0)>, affine_map<(d0, d1) -> (0, d0)> * affine_map<(d0, d1) -> (1, d1)>]
// CHECK:         [[LENGTH:%.*]] = halide.extent %in0 1
// CHECK:         [[PLACE:%.*]] = halide.mod %y, [[LENGTH]] : i32
// CHECK:         [[SENTENCE:%.*]] = halide.div %y, [[LENGTH]] : i32
// CHECK:         halide.load %in0[%x, {{.*}}]
func.func @f(%x: tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>) -> (tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 1 to 6>>, tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>) {
%p = nn.kernel(%x) : (tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>) -> tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 1 to 6>> {
^bb0(%a: tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>):
  %q = nn.reshape %a : (tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>) -> tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 1 to 6>>
  nn.yield %q : tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 1 to 6>>
}

// CHECK:       halide.pipeline @reshape_1(%in0: {{.*}}, %in1: {{.*}}) to
// CHECK:         [[LENGTH:%.*]] = halide.extent %in1 1
// CHECK:         halide.mul %z, [[LENGTH]] : i32
// CHECK-NOT:     halide.load %in1
%r = nn.kernel(%p, %x) : (tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 1 to 6>>, tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>) -> tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>> {
^bb0(%a: tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 1 to 6>>, %b: tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>):
  %q = nn.reshape %a, %b : (tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 1 to 6>>, tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>) -> tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>
  nn.yield %q : tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>
}

func.return %p, %r : tensor<24x2xf32, #nn.extents<[d0 * d1, 2], "b", 1 to 4, "n", 1 to 6>>, tensor<4x6x2xf32, #nn.extents<[d0, d1, 2], "b", 1 to 4, "n", 1 to 6>>
}
