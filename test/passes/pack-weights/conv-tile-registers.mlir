// RUN: autodeploy-opt %s --pack-weights | filecheck %s

// A kernel in tile registers reads the steps of a filter along one dimension; its convolution has them by window.

module attributes {autodeploy.machine = #machine.description<"x86-64-sapphirerapids">} {

func.func @main(%x: tensor<1x2x7x32xui8>) -> tensor<1x2x7x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<1x3x32x8xi8>>
  %y = nn.kernel(%x, %w) {config = #nn.config<amx, tile = [32, 32], pack = [32, 32], dot = [4]>} : (tensor<1x2x7x32xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x7x8xi32> {
  ^bb0(%p: tensor<1x2x7x32xui8>, %q: tensor<1x3x32x8xi8>):
    %m = nn.conv %p, %q {pads = array<i64: 0, 1, 0, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x2x7x32xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x7x8xi32>
    nn.yield %m : tensor<1x2x7x8xi32>
  }
  func.return %y : tensor<1x2x7x8xi32>
}

}

// CHECK:      func.func @main(%x: tensor<1x2x7x32xui8>) -> tensor<1x2x7x8xi32> {
// CHECK-NEXT:   %w = nn.constant #nn.dense<1 : tensor<1x3x32x8xi8>>
// CHECK-NEXT:   %0 = nn.constant #nn.weight<"{{[0-9a-f]+}}" : tensor<1x1x3x8x32x4xi8>>
// CHECK-NEXT:   %1 = nn.reshape %0 : (tensor<1x1x3x8x32x4xi8>) -> tensor<24x32x4xi8>
// CHECK-NEXT:   %y = nn.kernel(%x, %1) {config = #nn.config<amx, tile = [32, 32], pack = [32, 32], dot = [4]>} : (tensor<1x2x7x32xui8>, tensor<24x32x4xi8>) -> tensor<1x2x7x8xi32> {
// CHECK-NEXT:   ^bb0(%p: tensor<1x2x7x32xui8>, %q: tensor<24x32x4xi8>):
// CHECK-NEXT:     %2 = nn.reshape %q : (tensor<24x32x4xi8>) -> tensor<1x1x3x8x32x4xi8>
// CHECK-NEXT:     %m = nn.conv %p, %2 {pads = array<i64: 0, 1, 0, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 8, 1 by 4>, accumulator = i32, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x32xui8>, tensor<1x1x3x8x32x4xi8>) -> tensor<1x2x7x8xi32>
// CHECK-NEXT:     nn.yield %m : tensor<1x2x7x8xi32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<1x2x7x8xi32>
// CHECK-NEXT: }
