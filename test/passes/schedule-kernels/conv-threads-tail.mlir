// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:cores=2:l2=128K --configure-kernels --pack-weights --convert-nn-to-halide --schedule-kernels | filecheck %s

// The last of the bands that threads share ends early. It has as many padded rows as the others: two by
// three rows of the result, and what the window reaches. Where only columns are padded it has them, too.

func.func @rows(%x: tensor<1x109x113x16xf32>) -> tensor<1x55x57x48xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<3x3x16x48xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x109x113x16xf32>, tensor<3x3x16x48xf32>) -> tensor<1x55x57x48xf32>
  func.return %y : tensor<1x55x57x48xf32>
}

// CHECK: halide.pipeline @conv_0
// CHECK: halide.split %out "y" to "yo", "yt" by 3 {tail = #halide<tail guard_with_if>}
// CHECK: halide.bound_extent %padded "y" extent 7
// CHECK: halide.parallel %out "yo"

func.func @columns(%x: tensor<1x55x57x16xf32>) -> tensor<1x55x57x48xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<1x3x16x48xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x55x57x16xf32>, tensor<1x3x16x48xf32>) -> tensor<1x55x57x48xf32>
  func.return %y : tensor<1x55x57x48xf32>
}

// CHECK: halide.pipeline @conv_1
// CHECK: halide.split %out "y" to "yo", "yt" by 14 {tail = #halide<tail guard_with_if>}
// CHECK: halide.bound_extent %padded "y" extent {{[0-9]+}}
// CHECK: halide.parallel %out "yo"
