// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// The last element of a run is one before its end; parts begin where the ones before them end; a pad is around the
// elements of a run.

// CHECK:       halide.pipeline @slice_0
// CHECK:         [[END:%.*]] = halide.extent %in0 1
// CHECK:         [[ONE:%.*]] = halide.const 1 : i32
// CHECK:         [[LAST:%.*]] = halide.sub [[END]], [[ONE]] : i32
// CHECK:         halide.load %in0[%x, {{.*}}]
func.func @f(%x: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, %w: tensor<3x4xf32>) -> (tensor<1x4xf32>, tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>, tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>) {
%p = nn.kernel(%x) : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<1x4xf32> {
^bb0(%a: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>):
  %q = nn.slice %a {starts = #nn.extents<[d0 - 1, 0], "n", 3 to 8>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<1x4xf32>
  nn.yield %q : tensor<1x4xf32>
}

// CHECK:       halide.pipeline @concat_1
// CHECK:         [[END:%.*]] = halide.extent %in0 1
// CHECK:         [[WITHIN:%.*]] = halide.lt %y, [[END]] : i32
// CHECK:         halide.select [[WITHIN]]
%r = nn.kernel(%x, %w) : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, tensor<3x4xf32>) -> tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>> {
^bb0(%a: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, %b: tensor<3x4xf32>):
  %q = nn.concat %a, %b {axis = 0 : i64} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>, tensor<3x4xf32>) -> tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>
  nn.yield %q : tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>
}

// CHECK:       halide.pipeline @pad_2
// CHECK:         [[END:%.*]] = halide.extent %in0 1
// CHECK:         halide.lt {{.*}}, [[END]] : i32
%s = nn.kernel(%x) : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>> {
^bb0(%a: tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>):
  %q = nn.pad %a {pads = array<i64: 1, 0, 2, 0>} : (tensor<8x4xf32, #nn.extents<[d0, 4], "n", 3 to 8>>) -> tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>
  nn.yield %q : tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>
}

func.return %p, %r, %s : tensor<1x4xf32>, tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>, tensor<11x4xf32, #nn.extents<[d0 + 3, 4], "n", 3 to 8>>
}
