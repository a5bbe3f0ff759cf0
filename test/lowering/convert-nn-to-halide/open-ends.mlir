// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// The last element of a run is one before its end; parts begin where the ones before them end; a pad is around the
// elements of a run.

// CHECK:       halide.pipeline @slice_0
// CHECK:         [[END:%.*]] = halide.extent %in0 1
// CHECK:         [[ONE:%.*]] = halide.const 1 : i32
// CHECK:         [[LAST:%.*]] = halide.sub [[END]], [[ONE]] : i32
// CHECK:         halide.load %in0[%x, {{.*}}]
func.func @f(%x: tensor<8x4xf32>, %w: tensor<3x4xf32>) -> (tensor<1x4xf32>, tensor<11x4xf32>, tensor<11x4xf32>) {
%p = nn.kernel(%x) {open = [array<i64: 1, 0>, array<i64: 0, 0>]} : (tensor<8x4xf32>) -> tensor<1x4xf32> {
^bb0(%a: tensor<8x4xf32>):
  %q = nn.slice %a {starts = array<i64: 7, 0>, sizes = array<i64: 1, 4>, steps = array<i64: 1, 1>, growths = [affine_map<(n) -> (n - 1, 0)>, array<i64: 0, 0>]} : (tensor<8x4xf32>) -> tensor<1x4xf32>
  nn.yield %q : tensor<1x4xf32>
}

// CHECK:       halide.pipeline @concat_1
// CHECK:         [[END:%.*]] = halide.extent %in0 1
// CHECK:         [[WITHIN:%.*]] = halide.lt %y, [[END]] : i32
// CHECK:         halide.select [[WITHIN]]
%r = nn.kernel(%x, %w) {open = [array<i64: 1, 0>, array<i64: 0, 0>, affine_map<(n) -> (n + 3, 0)>]} : (tensor<8x4xf32>, tensor<3x4xf32>) -> tensor<11x4xf32> {
^bb0(%a: tensor<8x4xf32>, %b: tensor<3x4xf32>):
  %q = nn.concat %a, %b {axis = 0 : i64, ended} : (tensor<8x4xf32>, tensor<3x4xf32>) -> tensor<11x4xf32>
  nn.yield %q : tensor<11x4xf32>
}

// CHECK:       halide.pipeline @pad_2
// CHECK:         [[END:%.*]] = halide.extent %in0 1
// CHECK:         halide.lt {{.*}}, [[END]] : i32
%s = nn.kernel(%x) {open = [array<i64: 1, 0>, affine_map<(n) -> (n + 3, 0)>]} : (tensor<8x4xf32>) -> tensor<11x4xf32> {
^bb0(%a: tensor<8x4xf32>):
  %q = nn.pad %a {pads = array<i64: 1, 0, 2, 0>} : (tensor<8x4xf32>) -> tensor<11x4xf32>
  nn.yield %q : tensor<11x4xf32>
}

func.return %p, %r, %s : tensor<1x4xf32>, tensor<11x4xf32>, tensor<11x4xf32>
}
