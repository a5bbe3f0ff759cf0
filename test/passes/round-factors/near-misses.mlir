// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --round-factors | diff %t -

// Computed weights, an odd number of steps, weights out of range, several groups, and another template.

module attributes {autodeploy.machine = #machine.description<"x86-64-zen4">} {

func.func @computed(%x: tensor<4x2xf32>, %w: tensor<2x2xf32>) -> tensor<4x2xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<gemm, tile = [2, 2]>} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> {
  ^bb0(%p: tensor<4x2xf32>, %q: tensor<2x2xf32>):
    %m = nn.matmul %p, %q : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    nn.yield %m : tensor<4x2xf32>
  }
  func.return %y : tensor<4x2xf32>
}

func.func @odd(%x: tensor<4x3xf32>) -> tensor<4x1xf32> {
  %w = nn.constant #nn.dense<[4.0, -2.0, 1.0] : tensor<3x1xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<gemm>} : (tensor<4x3xf32>, tensor<3x1xf32>) -> tensor<4x1xf32> {
  ^bb0(%p: tensor<4x3xf32>, %q: tensor<3x1xf32>):
    %m = nn.matmul %p, %q : (tensor<4x3xf32>, tensor<3x1xf32>) -> tensor<4x1xf32>
    nn.yield %m : tensor<4x1xf32>
  }
  func.return %y : tensor<4x1xf32>
}

func.func @range(%x: tensor<4x2xf32>) -> tensor<4x1xf32> {
  %w = nn.constant #nn.dense<[3.4e38, -2.0] : tensor<2x1xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<gemm>} : (tensor<4x2xf32>, tensor<2x1xf32>) -> tensor<4x1xf32> {
  ^bb0(%p: tensor<4x2xf32>, %q: tensor<2x1xf32>):
    %m = nn.matmul %p, %q : (tensor<4x2xf32>, tensor<2x1xf32>) -> tensor<4x1xf32>
    nn.yield %m : tensor<4x1xf32>
  }
  func.return %y : tensor<4x1xf32>
}

func.func @groups(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x4x2xf32> {
  %w = nn.constant #nn.dense<[4.0, -2.0, 1.0, 0.5] : tensor<1x1x2x2xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<grouped_conv>} : (tensor<1x4x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32> {
  ^bb0(%p: tensor<1x4x4x4xf32>, %q: tensor<1x1x2x2xf32>):
    %m = nn.conv %p, %q {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32>
    nn.yield %m : tensor<1x4x4x2xf32>
  }
  func.return %y : tensor<1x4x4x2xf32>
}

func.func @plain(%x: tensor<4x2xf32>) -> tensor<4x1xf32> {
  %w = nn.constant #nn.dense<[3.4, -2.0] : tensor<2x1xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<plain>} : (tensor<4x2xf32>, tensor<2x1xf32>) -> tensor<4x1xf32> {
  ^bb0(%p: tensor<4x2xf32>, %q: tensor<2x1xf32>):
    %m = nn.matmul %p, %q : (tensor<4x2xf32>, tensor<2x1xf32>) -> tensor<4x1xf32>
    nn.yield %m : tensor<4x1xf32>
  }
  func.return %y : tensor<4x1xf32>
}

}
