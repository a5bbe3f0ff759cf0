// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Four groups of 34 output channels, each one tile of three vectors: the sum is whole, and the output
// stores 34 of its 48 channels.

func.func @f(%x: tensor<1x28x28x136xf32>, %w: tensor<4x1x1x34x48xf32>) -> tensor<1x28x28x136xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x28x28x136xf32>, tensor<4x1x1x34x48xf32>) -> tensor<1x28x28x136xf32> {
  ^bb0(%x_: tensor<1x28x28x136xf32>, %w_: tensor<4x1x1x34x48xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 34>} : (tensor<1x28x28x136xf32>, tensor<4x1x1x34x48xf32>) -> tensor<1x28x28x136xf32>
    nn.yield %v : tensor<1x28x28x136xf32>
  }
  func.return %y : tensor<1x28x28x136xf32>
}

// CHECK:        halide.bound %conv "c" from 0 extent 48 : !halide.func<f32, 5>
// CHECK-NEXT:   halide.split %out "c" to "co", "cp" by 34 : !halide.func<f32, 4>
// CHECK-NEXT:   halide.split %out "cp" to "cq", "ct" by 48 {tail = #halide<tail guard_with_if>} : !halide.func<f32, 4>
// CHECK-NEXT:   halide.split %out "x" to "xo", "xt" by 7 : !halide.func<f32, 4>
// CHECK-NEXT:   halide.reorder %out ["ct", "xt", "xo", "y", "n", "cq", "co"] : !halide.func<f32, 4>
