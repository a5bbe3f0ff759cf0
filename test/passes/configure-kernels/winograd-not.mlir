// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels=winograd=true | filecheck %s

// Near misses: few input channels, too little work to a transform; a stride; a filter that is not known.

func.func @f(%x_few_channels: tensor<1x56x56x3xf32>, %x_strided: tensor<1x56x56x64xf32>, %x_unknown: tensor<1x56x56x64xf32>, %w: tensor<3x3x64x64xf32>) -> (tensor<1x56x56x64xf32>, tensor<1x28x28x64xf32>, tensor<1x56x56x64xf32>) {
  %w_few_channels = nn.constant #nn.dense<0.5 : tensor<3x3x3x64xf32>>
  %few_channels = nn.kernel(%x_few_channels, %w_few_channels) : (tensor<1x56x56x3xf32>, tensor<3x3x3x64xf32>) -> tensor<1x56x56x64xf32> {
  ^bb0(%x_: tensor<1x56x56x3xf32>, %w_: tensor<3x3x3x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x3xf32>, tensor<3x3x3x64xf32>) -> tensor<1x56x56x64xf32>
    nn.yield %v : tensor<1x56x56x64xf32>
  }
  %w_strided = nn.constant #nn.dense<0.5 : tensor<3x3x64x64xf32>>
  %strided = nn.kernel(%x_strided, %w_strided) : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<3x3x64x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32>
    nn.yield %v : tensor<1x28x28x64xf32>
  }
  %unknown = nn.kernel(%x_unknown, %w) : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<3x3x64x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
    nn.yield %v : tensor<1x56x56x64xf32>
  }
  func.return %few_channels, %strided, %unknown : tensor<1x56x56x64xf32>, tensor<1x28x28x64xf32>, tensor<1x56x56x64xf32>
}

// CHECK-NOT:   winograd
// CHECK:       %few_channels = nn.kernel({{.*}}) {config = #nn.config<direct_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %strided = nn.kernel({{.*}}) {config = #nn.config<direct_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %unknown = nn.kernel({{.*}}) {config = #nn.config<direct_conv{{.*}}>}
// CHECK-NOT:   winograd
