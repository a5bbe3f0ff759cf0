// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels=winograd=true | filecheck %s

// Near misses of the filter: dilated, in groups, with output channels that whole tiles do not divide, of
// another size than 3x3.

func.func @f(%x_dilated: tensor<1x56x56x64xf32>, %x_grouped: tensor<1x56x56x64xf32>, %x_odd_channels: tensor<1x56x56x64xf32>, %x_other_window: tensor<1x56x56x64xf32>) -> (tensor<1x54x54x64xf32>, tensor<1x56x56x64xf32>, tensor<1x56x56x60xf32>, tensor<1x54x54x64xf32>) {
  %w_dilated = nn.constant #nn.dense<0.5 : tensor<3x3x64x64xf32>>
  %dilated = nn.kernel(%x_dilated, %w_dilated) : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x54x54x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<3x3x64x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 2, 2>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x54x54x64xf32>
    nn.yield %v : tensor<1x54x54x64xf32>
  }
  %w_grouped = nn.constant #nn.dense<0.5 : tensor<3x3x32x64xf32>>
  %grouped = nn.kernel(%x_grouped, %w_grouped) : (tensor<1x56x56x64xf32>, tensor<3x3x32x64xf32>) -> tensor<1x56x56x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<3x3x32x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x64xf32>, tensor<3x3x32x64xf32>) -> tensor<1x56x56x64xf32>
    nn.yield %v : tensor<1x56x56x64xf32>
  }
  %w_odd_channels = nn.constant #nn.dense<0.5 : tensor<3x3x64x60xf32>>
  %odd_channels = nn.kernel(%x_odd_channels, %w_odd_channels) : (tensor<1x56x56x64xf32>, tensor<3x3x64x60xf32>) -> tensor<1x56x56x60xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<3x3x64x60xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x64xf32>, tensor<3x3x64x60xf32>) -> tensor<1x56x56x60xf32>
    nn.yield %v : tensor<1x56x56x60xf32>
  }
  %w_other_window = nn.constant #nn.dense<0.5 : tensor<5x5x64x64xf32>>
  %other_window = nn.kernel(%x_other_window, %w_other_window) : (tensor<1x56x56x64xf32>, tensor<5x5x64x64xf32>) -> tensor<1x54x54x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<5x5x64x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x64xf32>, tensor<5x5x64x64xf32>) -> tensor<1x54x54x64xf32>
    nn.yield %v : tensor<1x54x54x64xf32>
  }
  func.return %dilated, %grouped, %odd_channels, %other_window : tensor<1x54x54x64xf32>, tensor<1x56x56x64xf32>, tensor<1x56x56x60xf32>, tensor<1x54x54x64xf32>
}

// CHECK-NOT:   winograd
// CHECK:       %dilated = nn.kernel({{.*}}) {config = #nn.config<direct_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %grouped = nn.kernel({{.*}}) {config = #nn.config<grouped_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %odd_channels = nn.kernel({{.*}}) {config = #nn.config<direct_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %other_window = nn.kernel({{.*}}) {config = #nn.config<direct_conv{{.*}}>}
// CHECK-NOT:   winograd
