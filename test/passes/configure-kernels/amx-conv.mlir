// RUN: autodeploy-opt %s --set-machine=machine=x86-64-sapphirerapids --configure-kernels | filecheck %s

// Tile registers hold sums of convolutions, also of few pixels. Near-misses: a row of pixels that fills a quarter of a
// tile register, three dots of input channels, groups, a filter that is computed.

// CHECK:     func.func @seven
// CHECK:     config = #nn.config<amx, tile = [32, 32], pack = [32, 32], dot = [4]>
// CHECK:     func.func @four
// CHECK:     config = #nn.config<direct_conv
// CHECK:     func.func @few_steps
// CHECK:     config = #nn.config<direct_conv
// CHECK:     func.func @groups
// CHECK:     config = #nn.config<grouped_conv
// CHECK:     func.func @computed
// CHECK:     config = #nn.config<direct_conv

func.func @seven(%x: tensor<1x2x7x32xui8>) -> tensor<1x2x7x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<1x3x32x8xi8>>
  %y = nn.kernel(%x, %w) : (tensor<1x2x7x32xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x7x8xi32> {
  ^bb0(%p: tensor<1x2x7x32xui8>, %q: tensor<1x3x32x8xi8>):
    %m = nn.conv %p, %q {pads = array<i64: 0, 1, 0, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x2x7x32xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x7x8xi32>
    nn.yield %m : tensor<1x2x7x8xi32>
  }
  func.return %y : tensor<1x2x7x8xi32>
}
func.func @four(%x: tensor<1x2x4x32xui8>) -> tensor<1x2x4x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<1x3x32x8xi8>>
  %y = nn.kernel(%x, %w) : (tensor<1x2x4x32xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x4x8xi32> {
  ^bb0(%p: tensor<1x2x4x32xui8>, %q: tensor<1x3x32x8xi8>):
    %m = nn.conv %p, %q {pads = array<i64: 0, 1, 0, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x2x4x32xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x4x8xi32>
    nn.yield %m : tensor<1x2x4x8xi32>
  }
  func.return %y : tensor<1x2x4x8xi32>
}
func.func @few_steps(%x: tensor<1x2x16x12xui8>) -> tensor<1x2x16x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<1x3x12x8xi8>>
  %y = nn.kernel(%x, %w) : (tensor<1x2x16x12xui8>, tensor<1x3x12x8xi8>) -> tensor<1x2x16x8xi32> {
  ^bb0(%p: tensor<1x2x16x12xui8>, %q: tensor<1x3x12x8xi8>):
    %m = nn.conv %p, %q {pads = array<i64: 0, 1, 0, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x2x16x12xui8>, tensor<1x3x12x8xi8>) -> tensor<1x2x16x8xi32>
    nn.yield %m : tensor<1x2x16x8xi32>
  }
  func.return %y : tensor<1x2x16x8xi32>
}
func.func @groups(%x: tensor<1x2x16x64xui8>) -> tensor<1x2x16x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<1x3x32x8xi8>>
  %y = nn.kernel(%x, %w) : (tensor<1x2x16x64xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x16x8xi32> {
  ^bb0(%p: tensor<1x2x16x64xui8>, %q: tensor<1x3x32x8xi8>):
    %m = nn.conv %p, %q {pads = array<i64: 0, 1, 0, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x2x16x64xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x16x8xi32>
    nn.yield %m : tensor<1x2x16x8xi32>
  }
  func.return %y : tensor<1x2x16x8xi32>
}
func.func @computed(%x: tensor<1x2x16x32xui8>, %w: tensor<1x3x32x8xi8>) -> tensor<1x2x16x8xi32> {
  %y = nn.kernel(%x, %w) : (tensor<1x2x16x32xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x16x8xi32> {
  ^bb0(%p: tensor<1x2x16x32xui8>, %q: tensor<1x3x32x8xi8>):
    %m = nn.conv %p, %q {pads = array<i64: 0, 1, 0, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x2x16x32xui8>, tensor<1x3x32x8xi8>) -> tensor<1x2x16x8xi32>
    nn.yield %m : tensor<1x2x16x8xi32>
  }
  func.return %y : tensor<1x2x16x8xi32>
}
