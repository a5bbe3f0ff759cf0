// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// One channel a group is depthwise, several are grouped; a single channel in all is neither.

func.func @f(%x: tensor<1x4x6x6xf32>, %a: tensor<8x4x3x3xf32>, %b: tensor<8x1x3x3xf32>, %c: tensor<8x2x3x3xf32>, %one: tensor<1x1x6x6xf32>, %d: tensor<8x1x3x3xf32>) -> (tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>) {
  %dense = nn.kernel(%x, %a) : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32> {
  ^bb0(%i: tensor<1x4x6x6xf32>, %k: tensor<8x4x3x3xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32>
    nn.yield %v : tensor<1x8x4x4xf32>
  }
  %depthwise = nn.kernel(%x, %b) : (tensor<1x4x6x6xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x4x4xf32> {
  ^bb0(%i: tensor<1x4x6x6xf32>, %k: tensor<8x1x3x3xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64} : (tensor<1x4x6x6xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x4x4xf32>
    nn.yield %v : tensor<1x8x4x4xf32>
  }
  %groups = nn.kernel(%x, %c) : (tensor<1x4x6x6xf32>, tensor<8x2x3x3xf32>) -> tensor<1x8x4x4xf32> {
  ^bb0(%i: tensor<1x4x6x6xf32>, %k: tensor<8x2x3x3xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x4x6x6xf32>, tensor<8x2x3x3xf32>) -> tensor<1x8x4x4xf32>
    nn.yield %v : tensor<1x8x4x4xf32>
  }
  %one_channel = nn.kernel(%one, %d) : (tensor<1x1x6x6xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x4x4xf32> {
  ^bb0(%i: tensor<1x1x6x6xf32>, %k: tensor<8x1x3x3xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x6x6xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x4x4xf32>
    nn.yield %v : tensor<1x8x4x4xf32>
  }
  func.return %dense, %depthwise, %groups, %one_channel : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>
}

// CHECK:        %dense = nn.kernel(%x, %a) {config = #nn.config<direct_conv>} : (tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x4x4xf32> {
// CHECK:        %depthwise = nn.kernel(%x, %b) {config = #nn.config<depthwise>} : (tensor<1x4x6x6xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x4x4xf32> {
// CHECK:        %groups = nn.kernel(%x, %c) {config = #nn.config<grouped_conv>} : (tensor<1x4x6x6xf32>, tensor<8x2x3x3xf32>) -> tensor<1x8x4x4xf32> {
// CHECK:        %one_channel = nn.kernel(%one, %d) {config = #nn.config<direct_conv>} : (tensor<1x1x6x6xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x4x4xf32> {
