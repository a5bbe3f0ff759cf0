// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels=winograd=true | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels=winograd=true | filecheck %s --check-prefix=WIDE
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2:l2=1M --configure-kernels=winograd=true | filecheck %s --check-prefix=CORES
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s --check-prefix=OFF

// Groups of 16 channels fill vectors in which products are summed. Groups of 8 fill those of AVX2: there two make
// a block, whose pixels take a line. Of AVX-512 they fill half a vector, but the direct sum interleaves groups.
// Few pixels are worth a small filter. Two cores have a band of rows each.

func.func @f(%x_wide: tensor<1x28x28x128xf32>, %x_half: tensor<1x28x28x256xf32>, %x_few_pixels: tensor<1x6x6x320xf32>) -> (tensor<1x28x28x128xf32>, tensor<1x28x28x256xf32>, tensor<1x6x6x320xf32>) {
  %w_wide = nn.constant #nn.dense<0.5 : tensor<3x3x16x128xf32>>
  %wide = nn.kernel(%x_wide, %w_wide) : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x28x28x128xf32> {
  ^bb0(%x_: tensor<1x28x28x128xf32>, %w_: tensor<3x3x16x128xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 8 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x28x28x128xf32>
    nn.yield %v : tensor<1x28x28x128xf32>
  }
  %w_half = nn.constant #nn.dense<0.5 : tensor<3x3x8x256xf32>>
  %half = nn.kernel(%x_half, %w_half) : (tensor<1x28x28x256xf32>, tensor<3x3x8x256xf32>) -> tensor<1x28x28x256xf32> {
  ^bb0(%x_: tensor<1x28x28x256xf32>, %w_: tensor<3x3x8x256xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 32 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x256xf32>, tensor<3x3x8x256xf32>) -> tensor<1x28x28x256xf32>
    nn.yield %v : tensor<1x28x28x256xf32>
  }
  %w_few_pixels = nn.constant #nn.dense<0.5 : tensor<3x3x16x320xf32>>
  %few_pixels = nn.kernel(%x_few_pixels, %w_few_pixels) : (tensor<1x6x6x320xf32>, tensor<3x3x16x320xf32>) -> tensor<1x6x6x320xf32> {
  ^bb0(%x_: tensor<1x6x6x320xf32>, %w_: tensor<3x3x16x320xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 20 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x6x6x320xf32>, tensor<3x3x16x320xf32>) -> tensor<1x6x6x320xf32>
    nn.yield %v : tensor<1x6x6x320xf32>
  }
  func.return %wide, %half, %few_pixels : tensor<1x28x28x128xf32>, tensor<1x28x28x256xf32>, tensor<1x6x6x320xf32>
}

// CHECK:       %wide = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [4], tile = [16], rows = [7], channels = [16], group = [5]{{.*}}>}
// CHECK:       %half = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [4], tile = [8], rows = [1], channels = [16], group = [7]{{.*}}>}
// CHECK:       %few_pixels = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [2]{{.*}}>}

// WIDE:        %wide = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [4], tile = [16]{{.*}}>}
// WIDE:        %half = nn.kernel({{.*}}) {config = #nn.config<grouped_conv{{.*}}>}
// WIDE:        %few_pixels = nn.kernel({{.*}}) {config = #nn.config<grouped_conv{{.*}}>}

// CORES:       %wide = nn.kernel({{.*}}) {config = #nn.config<winograd, transform = [4]{{.*}}, parallel = [y]>}

// OFF-NOT:     winograd
