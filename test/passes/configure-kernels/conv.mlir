// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// One channel a group is depthwise, several are grouped; a single channel in all is neither.

func.func @f(%x: tensor<1x6x6x4xf32>, %a: tensor<3x3x4x8xf32>, %b: tensor<3x3x1x8xf32>, %c: tensor<3x3x2x8xf32>, %one: tensor<1x6x6x1xf32>, %d: tensor<3x3x1x8xf32>) -> (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) {
  %dense = nn.kernel(%x, %a) : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%i: tensor<1x6x6x4xf32>, %k: tensor<3x3x4x8xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32>
    nn.yield %v : tensor<1x4x4x8xf32>
  }
  %depthwise = nn.kernel(%x, %b) : (tensor<1x6x6x4xf32>, tensor<3x3x1x8xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%i: tensor<1x6x6x4xf32>, %k: tensor<3x3x1x8xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x6x6x4xf32>, tensor<3x3x1x8xf32>) -> tensor<1x4x4x8xf32>
    nn.yield %v : tensor<1x4x4x8xf32>
  }
  %groups = nn.kernel(%x, %c) : (tensor<1x6x6x4xf32>, tensor<3x3x2x8xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%i: tensor<1x6x6x4xf32>, %k: tensor<3x3x2x8xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x6x6x4xf32>, tensor<3x3x2x8xf32>) -> tensor<1x4x4x8xf32>
    nn.yield %v : tensor<1x4x4x8xf32>
  }
  %one_channel = nn.kernel(%one, %d) : (tensor<1x6x6x1xf32>, tensor<3x3x1x8xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%i: tensor<1x6x6x1xf32>, %k: tensor<3x3x1x8xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x6x6x1xf32>, tensor<3x3x1x8xf32>) -> tensor<1x4x4x8xf32>
    nn.yield %v : tensor<1x4x4x8xf32>
  }
  func.return %dense, %depthwise, %groups, %one_channel : tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>
}

// CHECK:        %dense = nn.kernel(%x, %a) {config = #nn.config<direct_conv{{.*}}>} : (tensor<1x6x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<1x4x4x8xf32> {
// CHECK:        %depthwise = nn.kernel(%x, %b) {config = #nn.config<depthwise, tile = [8, 4, 2], order = [c, x, y], unroll = [2]>} : (tensor<1x6x6x4xf32>, tensor<3x3x1x8xf32>) -> tensor<1x4x4x8xf32> {
// CHECK:        %groups = nn.kernel(%x, %c) {config = #nn.config<grouped_conv{{.*}}>} : (tensor<1x6x6x4xf32>, tensor<3x3x2x8xf32>) -> tensor<1x4x4x8xf32> {
// CHECK:        %one_channel = nn.kernel(%one, %d) {config = #nn.config<direct_conv{{.*}}>} : (tensor<1x6x6x1xf32>, tensor<3x3x1x8xf32>) -> tensor<1x4x4x8xf32> {
