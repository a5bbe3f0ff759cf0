// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What nn.conv asks of its operands.

func.func @f(%x: tensor<4x5xf32>, %f: tensor<6x5x1xf32>) {
  // expected-error@+1 {{x has rank 3 or more, found tensor<4x5xf32> [conv_c1]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<4x5xf32>, tensor<6x5x1xf32>) -> tensor<4x6xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4xf32>) {
  // expected-error@+1 {{a filter has rank 3 or more, found [6, 4] [filter_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<2x4x3xf32>) {
  // expected-error@+1 {{a filter has rank 3 or more, found [6, 4] [filter_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, filter_layout = #nn.tiled<[0, 1], 0 by 3>} : (tensor<1x4x5x5xf32>, tensor<2x4x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3xf32>) {
  // expected-error@+1 {{the filter's window takes 2 values, found 1 [property_c1]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x3x3x3xf32>) {
  // expected-error@+1 {{4 channels in 1 groups do not fit a filter that takes 3 channels a group to 6 [conv_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x3x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error-re@+1 {{4 channels in 0 groups do not fit{{.*}} [conv_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 0 : i64} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x1x3x3xf32>) {
  // expected-error@+1 {{4 channels in 4 groups do not fit a filter that takes 1 channels a group to 6 [conv_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 4 : i64} : (tensor<1x4x5x5xf32>, tensor<6x1x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error-re@+1 {{5 channels in 1 groups do not fit{{.*}} [conv_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<1x1x3x3xf32>) {
  // expected-error@+1 {{4 channels in 1 groups do not fit a filter that takes 3 channels a group to 3 [conv_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x5x5xf32>, tensor<1x1x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>, %b: tensor<6x1x1xf32>) {
  // expected-error@+1 {{expected a bias of 6, found tensor<6x1x1xf32> [conv_c4]}}
  %0 = nn.conv %x, %f, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>, tensor<6x1x1xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{expected a bias of 6, found tensor<4xf32> [conv_c4]}}
  %0 = nn.conv %x, %f, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>, tensor<4xf32>) -> tensor<1x6x3x3xf32>
  func.return
}
