// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels=winograd=true | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels=winograd=true | filecheck %s --check-prefix=NARROW
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels=winograd=true | filecheck %s --check-prefix=NARROW
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels | filecheck %s --check-prefix=OFF

// Large tiles where there are many pixels to a channel. Small ones where a filter of 36 points would take
// longer to fetch than it saves, down to a few pixels. The direct sum where hardly any share a large filter.
// With narrower vectors multiply-adds take longer, fetching does not: large tiles are worth it for longer.

func.func @f(%x_many: tensor<1x56x56x64xf32>, %x_fewer: tensor<1x14x14x512xf32>, %x_deep: tensor<1x7x7x512xf32>, %x_few: tensor<1x1x1x512xf32>) -> (tensor<1x56x56x64xf32>, tensor<1x14x14x512xf32>, tensor<1x7x7x512xf32>, tensor<1x1x1x512xf32>) {
  %w_many = nn.constant #nn.dense<0.5 : tensor<3x3x64x64xf32>>
  %many = nn.kernel(%x_many, %w_many) : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>, %w_: tensor<3x3x64x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
    nn.yield %v : tensor<1x56x56x64xf32>
  }
  %w_fewer = nn.constant #nn.dense<0.5 : tensor<3x3x512x512xf32>>
  %fewer = nn.kernel(%x_fewer, %w_fewer) : (tensor<1x14x14x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x14x14x512xf32> {
  ^bb0(%x_: tensor<1x14x14x512xf32>, %w_: tensor<3x3x512x512xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x14x14x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x14x14x512xf32>
    nn.yield %v : tensor<1x14x14x512xf32>
  }
  %w_deep = nn.constant #nn.dense<0.5 : tensor<3x3x512x512xf32>>
  %deep = nn.kernel(%x_deep, %w_deep) : (tensor<1x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32> {
  ^bb0(%x_: tensor<1x7x7x512xf32>, %w_: tensor<3x3x512x512xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x7x7x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x7x7x512xf32>
    nn.yield %v : tensor<1x7x7x512xf32>
  }
  %w_few = nn.constant #nn.dense<0.5 : tensor<3x3x512x512xf32>>
  %few = nn.kernel(%x_few, %w_few) : (tensor<1x1x1x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x1x1x512xf32> {
  ^bb0(%x_: tensor<1x1x1x512xf32>, %w_: tensor<3x3x512x512xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x1x1x512xf32>, tensor<3x3x512x512xf32>) -> tensor<1x1x1x512xf32>
    nn.yield %v : tensor<1x1x1x512xf32>
  }
  func.return %many, %fewer, %deep, %few : tensor<1x56x56x64xf32>, tensor<1x14x14x512xf32>, tensor<1x7x7x512xf32>, tensor<1x1x1x512xf32>
}

// CHECK:       %many = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [4]{{.*}}>}
// CHECK:       %fewer = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [4]{{.*}}>}
// CHECK:       %deep = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [2]{{.*}}>}
// CHECK:       %few = nn.kernel({{.*}}) {config = #nn.config<direct_conv{{.*}}>}

// NARROW:      %many = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [4]{{.*}}>}
// NARROW:      %fewer = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [4]{{.*}}>}
// NARROW:      %deep = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [{{2|4}}]{{.*}}>}
// NARROW:      %few = nn.kernel({{.*}}) {config = #nn.config<direct_conv{{.*}}>}

// OFF-NOT:     winograd
