// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s --check-prefix=AVX2

// Two rows of windows share what both read, if the registers have room, the rows come out even, and the
// unrolled code is no longer than that of a row of 7x7 windows. Bytes are widened once along a row.

func.func @f(%x: tensor<1x16x16x64xf32>, %y: tensor<1x13x16x64xf32>, %a: tensor<3x3x1x64xf32>, %b: tensor<7x7x1x64xf32>, %q: tensor<1x16x16x64xui8>, %c: tensor<3x3x1x64xi8>) -> (tensor<1x14x14x64xf32>, tensor<1x11x14x64xf32>, tensor<1x10x10x64xf32>, tensor<1x14x14x64xi32>) {
  %even = nn.kernel(%x, %a) : (tensor<1x16x16x64xf32>, tensor<3x3x1x64xf32>) -> tensor<1x14x14x64xf32> {
  ^bb0(%x_: tensor<1x16x16x64xf32>, %w_: tensor<3x3x1x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, groups = 64 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x16x16x64xf32>, tensor<3x3x1x64xf32>) -> tensor<1x14x14x64xf32>
    nn.yield %v : tensor<1x14x14x64xf32>
  }
  %odd = nn.kernel(%y, %a) : (tensor<1x13x16x64xf32>, tensor<3x3x1x64xf32>) -> tensor<1x11x14x64xf32> {
  ^bb0(%x_: tensor<1x13x16x64xf32>, %w_: tensor<3x3x1x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, groups = 64 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x13x16x64xf32>, tensor<3x3x1x64xf32>) -> tensor<1x11x14x64xf32>
    nn.yield %v : tensor<1x11x14x64xf32>
  }
  %long = nn.kernel(%x, %b) : (tensor<1x16x16x64xf32>, tensor<7x7x1x64xf32>) -> tensor<1x10x10x64xf32> {
  ^bb0(%x_: tensor<1x16x16x64xf32>, %w_: tensor<7x7x1x64xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, groups = 64 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x16x16x64xf32>, tensor<7x7x1x64xf32>) -> tensor<1x10x10x64xf32>
    nn.yield %v : tensor<1x10x10x64xf32>
  }
  %bytes = nn.kernel(%q, %c) : (tensor<1x16x16x64xui8>, tensor<3x3x1x64xi8>) -> tensor<1x14x14x64xi32> {
  ^bb0(%x_: tensor<1x16x16x64xui8>, %w_: tensor<3x3x1x64xi8>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, groups = 64 : i64, layout = #nn<layout channels_last>, accumulator = i32, fill = 0 : i64, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x16x16x64xui8>, tensor<3x3x1x64xi8>) -> tensor<1x14x14x64xi32>
    nn.yield %v : tensor<1x14x14x64xi32>
  }
  func.return %even, %odd, %long, %bytes : tensor<1x14x14x64xf32>, tensor<1x11x14x64xf32>, tensor<1x10x10x64xf32>, tensor<1x14x14x64xi32>
}

// CHECK: %even = {{.*}}#nn.config<depthwise, tile = [16, 7, 2], order = [c, x, y], unroll = [2]>
// CHECK: %odd = {{.*}}#nn.config<depthwise, tile = [16, 7, 1], order = [c, x, y], unroll = [2]>
// CHECK: %long = {{.*}}#nn.config<depthwise, tile = [16, 5, 1], order = [c, x, y], unroll = [2]>
// CHECK: %bytes = {{.*}}#nn.config<depthwise, tile = [16, 7, 2], order = [x, c, y], unroll = [2]>

// AVX2:  %even = {{.*}}#nn.config<depthwise, tile = [8, 7, 1], order = [c, x, y], unroll = [2]>
// AVX2:  %bytes = {{.*}}#nn.config<depthwise, tile = [8, 7, 1], order = [x, c, y], unroll = [2]>
