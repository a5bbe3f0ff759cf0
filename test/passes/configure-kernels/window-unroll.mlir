// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=scalar --configure-kernels | filecheck %s --check-prefix=SCALAR

// Windows of up to 50 taps are unrolled, of larger ones the row. Without vectors it is 9 taps, as code is to be small.

func.func @f(%x: tensor<1x30x28x96xf32>, %a: tensor<3x3x1x96xf32>, %b: tensor<7x7x1x96xf32>, %c: tensor<11x5x1x96xf32>) -> (tensor<1x28x26x96xf32>, tensor<1x24x22x96xf32>, tensor<1x20x24x96xf32>) {
  %small = nn.kernel(%x, %a) : (tensor<1x30x28x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x28x26x96xf32> {
  ^bb0(%x_: tensor<1x30x28x96xf32>, %w_: tensor<3x3x1x96xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x30x28x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x28x26x96xf32>
    nn.yield %v : tensor<1x28x26x96xf32>
  }
  %most = nn.kernel(%x, %b) : (tensor<1x30x28x96xf32>, tensor<7x7x1x96xf32>) -> tensor<1x24x22x96xf32> {
  ^bb0(%x_: tensor<1x30x28x96xf32>, %w_: tensor<7x7x1x96xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x30x28x96xf32>, tensor<7x7x1x96xf32>) -> tensor<1x24x22x96xf32>
    nn.yield %v : tensor<1x24x22x96xf32>
  }
  %large = nn.kernel(%x, %c) : (tensor<1x30x28x96xf32>, tensor<11x5x1x96xf32>) -> tensor<1x20x24x96xf32> {
  ^bb0(%x_: tensor<1x30x28x96xf32>, %w_: tensor<11x5x1x96xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 96 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x30x28x96xf32>, tensor<11x5x1x96xf32>) -> tensor<1x20x24x96xf32>
    nn.yield %v : tensor<1x20x24x96xf32>
  }
  func.return %small, %most, %large : tensor<1x28x26x96xf32>, tensor<1x24x22x96xf32>, tensor<1x20x24x96xf32>
}

// CHECK:  %small = {{.*}}#nn.config<depthwise, {{.*}}, unroll = [2]>
// CHECK:  %most = {{.*}}#nn.config<depthwise, {{.*}}, unroll = [2]>
// CHECK:  %large = {{.*}}#nn.config<depthwise, {{.*}}, unroll = [1]>

// SCALAR: %small = {{.*}}#nn.config<depthwise, {{.*}}, unroll = [2]>
// SCALAR: %most = {{.*}}#nn.config<depthwise, {{.*}}, unroll = [1]>
// SCALAR: %large = {{.*}}#nn.config<depthwise, {{.*}}, unroll = [1]>
