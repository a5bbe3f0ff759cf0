// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// The templates tile one output; with several, the sum is computed before them.

func.func @f(%x: tensor<1x6x8x4xf32>, %w: tensor<3x3x4x16xf32>) -> (tensor<1x4x6x16xf32>, tensor<1x4x6x16xf32>) {
  %y, %z = nn.kernel(%x, %w) : (tensor<1x6x8x4xf32>, tensor<3x3x4x16xf32>) -> (tensor<1x4x6x16xf32>, tensor<1x4x6x16xf32>) {
  ^bb0(%i: tensor<1x6x8x4xf32>, %k: tensor<3x3x4x16xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x6x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x4x6x16xf32>
    %r = nn.relu %v : (tensor<1x4x6x16xf32>) -> tensor<1x4x6x16xf32>
    nn.yield %v, %r : tensor<1x4x6x16xf32>, tensor<1x4x6x16xf32>
  }
  func.return %y, %z : tensor<1x4x6x16xf32>, tensor<1x4x6x16xf32>
}

// CHECK:      halide.schedule {
// CHECK-NEXT:   halide.compute_root %conv : !halide.func<f32, 4>
// CHECK-NEXT: }
