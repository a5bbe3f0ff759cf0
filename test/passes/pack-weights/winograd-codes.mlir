// RUN: autodeploy-opt %s --pack-weights | filecheck %s

// The doubled transform makes 16-bit integers of a filter of bytes. Pairs of channels lie side by side.

module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {

func.func @main(%x: tensor<1x8x8x2xui8>) -> tensor<1x8x8x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<3x3x2x8xi8>>
  %c = nn.kernel(%x) : (tensor<1x8x8x2xui8>) -> tensor<1x8x8x2xi16> {
  ^bb0(%a: tensor<1x8x8x2xui8>):
    %c = nn.cast %a : (tensor<1x8x8x2xui8>) -> tensor<1x8x8x2xi16>
    nn.yield %c : tensor<1x8x8x2xi16>
  }
  %y = nn.kernel(%c, %w) {config = #nn.config<winograd, transform = [2], tile = [8], rows = [4], channels = [8], group = [4], dot = [2]>} : (tensor<1x8x8x2xi16>, tensor<3x3x2x8xi8>) -> tensor<1x8x8x8xi32> {
  ^bb0(%a: tensor<1x8x8x2xi16>, %b: tensor<3x3x2x8xi8>):
    %d = nn.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x8x8x2xi16>, tensor<3x3x2x8xi8>) -> tensor<1x8x8x8xi32>
    nn.yield %d : tensor<1x8x8x8xi32>
  }
  func.return %y : tensor<1x8x8x8xi32>
}

}

// CHECK: tensor<1x4x4x1x8x2xi16>
// CHECK: filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 8, 1 by 2>, accumulator = i32, winograd = 2 : i64
