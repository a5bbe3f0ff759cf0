// RUN: autodeploy-opt %s --set-machine=machine=arm-neon --configure-kernels --pack-weights | filecheck %s

// Weights of 8 bits are packed by vectors of their sums, which have 32.

// CHECK: pack = [8]
// CHECK: filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 8>
func.func @main(%x: tensor<1x9x11x32xui8>) -> tensor<1x9x11x64xi32> {
  %w = nn.constant #nn.dense<1 : tensor<1x1x32x64xi8>>
  %y = nn.kernel(%x, %w) : (tensor<1x9x11x32xui8>, tensor<1x1x32x64xi8>) -> tensor<1x9x11x64xi32> {
  ^bb0(%a: tensor<1x9x11x32xui8>, %b: tensor<1x1x32x64xi8>):
    %c = nn.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x9x11x32xui8>, tensor<1x1x32x64xi8>) -> tensor<1x9x11x64xi32>
    nn.yield %c : tensor<1x9x11x64xi32>
  }
  func.return %y : tensor<1x9x11x64xi32>
}
