// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// The groups of an image whose channels are outermost are those of its channels, not of its columns.

func.func @f(%x: tensor<1x8x14x16xf32>, %w: tensor<3x3x4x64xf32>) -> tensor<1x12x14x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x8x14x16xf32>, tensor<3x3x4x64xf32>) -> tensor<1x12x14x64xf32> {
  ^bb0(%x_: tensor<1x8x14x16xf32>, %w_: tensor<3x3x4x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout first_to_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x14x16xf32>, tensor<3x3x4x64xf32>) -> tensor<1x12x14x64xf32>
    nn.yield %v : tensor<1x12x14x64xf32>
  }
  func.return %y : tensor<1x12x14x64xf32>
}

// CHECK:      halide.split %out "c" to "g", "cg" by 32 : !halide.func<f32, 4>
