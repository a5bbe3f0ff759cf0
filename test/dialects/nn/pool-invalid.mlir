// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What pools ask of their operand and window.

func.func @f(%x: tensor<1x2x5x5xi1>) {
  // expected-error@+1 {{nn.max_pool takes numbers, found tensor<1x2x5x5xi1> [pool_c1]}}
  %0 = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xi1>) -> tensor<1x2x4x4xi1>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x5x5xi32>) {
  // expected-error@+1 {{nn.average_pool takes floating-point numbers, found tensor<1x2x5x5xi32> [average_pool_c1]}}
  %0 = nn.average_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xi32>) -> tensor<1x2x4x4xi32>
  func.return
}

// -----

func.func @f(%x: tensor<5x5xf32>) {
  // expected-error@+1 {{x has rank 3 or more, found tensor<5x5xf32> [pool_c2]}}
  %0 = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<5x5xf32>) -> tensor<4x4xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x5x5xf32>) {
  // expected-error@+1 {{window takes 2 values, found 1 [property_c1]}}
  %0 = nn.max_pool %x {window = array<i64: 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x5x5xf32>) {
  // expected-error@+1 {{strides takes 2 values, found 3 [property_c1]}}
  %0 = nn.average_pool %x {window = array<i64: 2, 2>, strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x5x5xf32>) {
  // expected-error@+1 {{the window must be at least 1, found [2, 0] [property_c2]}}
  %0 = nn.max_pool %x {window = array<i64: 2, 0>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x5x5xf32>) {
  // expected-error@+1 {{a window of 6 with dilation 1 does not fit 5 padded elements of spatial axis 0 [window_c1]}}
  %0 = nn.average_pool %x {window = array<i64: 6, 1>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x5x5xf32>) {
  // expected-error@+1 {{pads_by_remainder has for spatial axis 0 2 numbers from 0 to 1, found [-1, 1] [window_c2]}}
  %0 = nn.max_pool %x {window = array<i64: 3, 1>, strides = array<i64: 2, 1>, pads = array<i64: 1, 0, 1, 0>, dilations = array<i64: 1, 1>, pads_by_remainder = [array<i64: -1, 1>, array<i64>]} : (tensor<1x2x5x5xf32>) -> tensor<1x2x3x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x5x2x5xf32>) {
  // expected-error@+1 {{a window of 3 with dilation 1 does not fit 2 padded elements of spatial axis 1 [window_c1]}}
  %0 = nn.max_pool %x {window = array<i64: 2, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x5x2x5xf32>) -> tensor<1x5x2x5xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x5x5xf32>) {
  // expected-error@+1 {{expected result type tensor<1x2x2x2xf32>, found tensor<1x2x3x3xf32> [op_c2]}}
  %0 = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x2x5x5xf32>) {
  // expected-error@+1 {{expected result type tensor<1x2x3x3xf32>, found tensor<1x2x2x2xf32> [op_c2]}}
  %0 = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, ceil_mode = true} : (tensor<1x2x5x5xf32>) -> tensor<1x2x2x2xf32>
  func.return
}
