// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Folds along an open axis end at the number of the call: step by step, or in lanes over whole blocks, then over the
// rest. A mean is of as many elements.

func.func @f(%x: tensor<6x32xf32, #nn.extents<[6, 2 * d0], "n", 1 to 16>>, %y: tensor<32x5xf32, #nn.extents<[2 * d0, 5], "n", 1 to 16>>) -> (tensor<6x5xf32>, tensor<6xf32>) {
%p = nn.kernel(%x, %y) : (tensor<6x32xf32, #nn.extents<[6, 2 * d0], "n", 1 to 16>>, tensor<32x5xf32, #nn.extents<[2 * d0, 5], "n", 1 to 16>>) -> tensor<6x5xf32> {
^bb0(%a: tensor<6x32xf32, #nn.extents<[6, 2 * d0], "n", 1 to 16>>, %b: tensor<32x5xf32, #nn.extents<[2 * d0, 5], "n", 1 to 16>>):
  %q = nn.matmul %a, %b : (tensor<6x32xf32, #nn.extents<[6, 2 * d0], "n", 1 to 16>>, tensor<32x5xf32, #nn.extents<[2 * d0, 5], "n", 1 to 16>>) -> tensor<6x5xf32>
  nn.yield %q : tensor<6x5xf32>
}

%m = nn.kernel(%x) : (tensor<6x32xf32, #nn.extents<[6, 2 * d0], "n", 1 to 16>>) -> tensor<6xf32> {
^bb0(%a: tensor<6x32xf32, #nn.extents<[6, 2 * d0], "n", 1 to 16>>):
  %r = nn.reduce %a {kind = #nn<reduction mean>, axes = array<i64: 1>, keepdims = false} : (tensor<6x32xf32, #nn.extents<[6, 2 * d0], "n", 1 to 16>>) -> tensor<6xf32>
  nn.yield %r : tensor<6xf32>
}

func.return %p, %m : tensor<6x5xf32>, tensor<6xf32>
}

// CHECK:       halide.pipeline @matmul_0
// CHECK-NEXT:    [[END:%.*]] = halide.extent %in0 0
// CHECK:         halide.update %matmul({{.*}}) over (k %k in 0 to 32 until [[END]])

// CHECK:       halide.pipeline @reduce_1
// CHECK-NEXT:    [[END:%.*]] = halide.extent %in0 0
// CHECK-NEXT:    [[LANES:%.*]] = halide.const 16 : i32
// CHECK-NEXT:    [[BLOCKS:%.*]] = halide.div [[END]], [[LANES]]
// CHECK:         halide.update %reduce_mean_lanes({{.*}}) over (block %block in 0 to 2 until [[BLOCKS]])
// CHECK:         [[REST:%.*]] = halide.mod [[END]], [[LANES]]
// CHECK:         halide.update %reduce_mean({{.*}}) over (rest %rest in 0 to 15 until [[REST]])
// CHECK:         %out = halide.func "out"
// CHECK:         [[COUNT:%.*]] = halide.cast {{%.*}} : i32 to f32
// CHECK:         halide.div {{%.*}}, [[COUNT]] : f32
