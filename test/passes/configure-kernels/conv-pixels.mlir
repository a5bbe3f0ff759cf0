// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels | filecheck %s --check-prefixes=CHECK,AVX512
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s --check-prefixes=CHECK,AVX2

// Where the channels of a tile fill half a vector or less, and the inputs of neighbouring pixels lie side by side, a
// vector has several pixels, and a tile as many vectors of them as registers hold.

func.func @eight_channels(%x: tensor<1x28x28x1xf32>, %w: tensor<5x5x1x8xf32>) -> tensor<1x28x28x8xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x28x28x8xf32> {
  ^bb0(%l: tensor<1x28x28x1xf32>, %r: tensor<5x5x1x8xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x28x28x8xf32>
    nn.yield %v : tensor<1x28x28x8xf32>
  }
  func.return %y : tensor<1x28x28x8xf32>
}

// CHECK-LABEL: func.func @eight_channels
// AVX512: config = #nn.config<direct_conv, tile = [8, 28], {{.*}}pixels = [2]{{.*}}>
// AVX2: config = #nn.config<direct_conv, tile = [8, {{[0-9]+}}], {{.*}}pixels = []{{.*}}>

func.func @four_channels(%x: tensor<1x28x28x1xf32>, %w: tensor<5x5x1x4xf32>) -> tensor<1x28x28x4xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x4xf32>) -> tensor<1x28x28x4xf32> {
  ^bb0(%l: tensor<1x28x28x1xf32>, %r: tensor<5x5x1x4xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x4xf32>) -> tensor<1x28x28x4xf32>
    nn.yield %v : tensor<1x28x28x4xf32>
  }
  func.return %y : tensor<1x28x28x4xf32>
}

// CHECK-LABEL: func.func @four_channels
// AVX512: config = #nn.config<direct_conv, tile = [4, 28], {{.*}}pixels = [4]{{.*}}>
// AVX2: config = #nn.config<direct_conv, tile = [4, 14], {{.*}}pixels = [2]{{.*}}>

func.func @a_tile_that_is_given(%x: tensor<1x28x28x1xf32>, %w: tensor<5x5x1x4xf32>) -> tensor<1x28x28x4xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [4, 6], pixels = [2]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x4xf32>) -> tensor<1x28x28x4xf32> {
  ^bb0(%l: tensor<1x28x28x1xf32>, %r: tensor<5x5x1x4xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x4xf32>) -> tensor<1x28x28x4xf32>
    nn.yield %v : tensor<1x28x28x4xf32>
  }
  func.return %y : tensor<1x28x28x4xf32>
}

// CHECK-LABEL: func.func @a_tile_that_is_given
// CHECK: config = #nn.config<direct_conv, tile = [4, 6], {{.*}}pixels = [2]{{.*}}>

func.func @an_odd_tile_that_is_given(%x: tensor<1x28x28x1xf32>, %w: tensor<5x5x1x4xf32>) -> tensor<1x28x28x4xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [4, 7]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x4xf32>) -> tensor<1x28x28x4xf32> {
  ^bb0(%l: tensor<1x28x28x1xf32>, %r: tensor<5x5x1x4xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x4xf32>) -> tensor<1x28x28x4xf32>
    nn.yield %v : tensor<1x28x28x4xf32>
  }
  func.return %y : tensor<1x28x28x4xf32>
}

// CHECK-LABEL: func.func @an_odd_tile_that_is_given
// CHECK: config = #nn.config<direct_conv, tile = [4, 7], {{.*}}pixels = []{{.*}}>

func.func @a_row_of_few_pixels(%x: tensor<1x28x3x1xf32>, %w: tensor<5x5x1x8xf32>) -> tensor<1x28x3x8xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x28x3x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x28x3x8xf32> {
  ^bb0(%l: tensor<1x28x3x1xf32>, %r: tensor<5x5x1x8xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x3x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x28x3x8xf32>
    nn.yield %v : tensor<1x28x3x8xf32>
  }
  func.return %y : tensor<1x28x3x8xf32>
}

// CHECK-LABEL: func.func @a_row_of_few_pixels
// AVX512: config = #nn.config<direct_conv, tile = [8, 3], {{.*}}pixels = []{{.*}}>

// A whole vector of channels, two channels of an image and a stride of two leave it as it is.

func.func @whole_vectors(%x: tensor<1x28x28x1xf32>, %w: tensor<5x5x1x16xf32>) -> tensor<1x28x28x16xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x16xf32>) -> tensor<1x28x28x16xf32> {
  ^bb0(%l: tensor<1x28x28x1xf32>, %r: tensor<5x5x1x16xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x16xf32>) -> tensor<1x28x28x16xf32>
    nn.yield %v : tensor<1x28x28x16xf32>
  }
  func.return %y : tensor<1x28x28x16xf32>
}

// CHECK-LABEL: func.func @whole_vectors
// AVX512: config = #nn.config<direct_conv, tile = [16, {{.*}}pixels = []{{.*}}>

func.func @two_inputs(%x: tensor<1x28x28x2xf32>, %w: tensor<5x5x2x8xf32>) -> tensor<1x28x28x8xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x28x28x2xf32>, tensor<5x5x2x8xf32>) -> tensor<1x28x28x8xf32> {
  ^bb0(%l: tensor<1x28x28x2xf32>, %r: tensor<5x5x2x8xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x2xf32>, tensor<5x5x2x8xf32>) -> tensor<1x28x28x8xf32>
    nn.yield %v : tensor<1x28x28x8xf32>
  }
  func.return %y : tensor<1x28x28x8xf32>
}

// CHECK-LABEL: func.func @two_inputs
// CHECK-NOT: pixels
// CHECK: func.return

func.func @strided(%x: tensor<1x28x28x1xf32>, %w: tensor<5x5x1x8xf32>) -> tensor<1x14x14x8xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x14x14x8xf32> {
  ^bb0(%l: tensor<1x28x28x1xf32>, %r: tensor<5x5x1x8xf32>):
    %v = nn.conv %l, %r {strides = array<i64: 2, 2>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x1xf32>, tensor<5x5x1x8xf32>) -> tensor<1x14x14x8xf32>
    nn.yield %v : tensor<1x14x14x8xf32>
  }
  func.return %y : tensor<1x14x14x8xf32>
}

// CHECK-LABEL: func.func @strided
// CHECK-NOT: pixels
// CHECK: func.return
