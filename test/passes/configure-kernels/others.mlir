// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// Pools, softmax, reductions, and kernels without an anchor.

func.func @f(%x: tensor<1x4x6x6xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>, tensor<1x4xf32>, tensor<1x4x6x6xf32>) {
  %window = nn.kernel(%x) : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  ^bb0(%i: tensor<1x4x6x6xf32>):
    %v = nn.max_pool %i {window = array<i64: 1, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
    nn.yield %v : tensor<1x4x6x6xf32>
  }
  %softmax = nn.kernel(%x) : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  ^bb0(%i: tensor<1x4x6x6xf32>):
    %v = nn.softmax %i {axis = 1 : i64} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
    nn.yield %v : tensor<1x4x6x6xf32>
  }
  %reduce = nn.kernel(%x) : (tensor<1x4x6x6xf32>) -> tensor<1x4xf32> {
  ^bb0(%i: tensor<1x4x6x6xf32>):
    %v = nn.reduce %i {kind = #nn<reduction sum>, axes = array<i64: 2, 3>} : (tensor<1x4x6x6xf32>) -> tensor<1x4xf32>
    nn.yield %v : tensor<1x4xf32>
  }
  %pointwise = nn.kernel(%x) : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  ^bb0(%i: tensor<1x4x6x6xf32>):
    %v = nn.exp %i : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
    nn.yield %v : tensor<1x4x6x6xf32>
  }
  func.return %window, %softmax, %reduce, %pointwise : tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>, tensor<1x4xf32>, tensor<1x4x6x6xf32>
}

// CHECK:        %window = nn.kernel(%x) {config = #nn.config<window, vector = [32]>} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
// CHECK:        %softmax = nn.kernel(%x) {config = #nn.config<row, vector = [32]>} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
// CHECK:        %reduce = nn.kernel(%x) {config = #nn.config<row, vector = [32], unroll = [8]>} : (tensor<1x4x6x6xf32>) -> tensor<1x4xf32> {
// CHECK:        %pointwise = nn.kernel(%x) {config = #nn.config<plain, vector = [32], unroll = [1]>} : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
