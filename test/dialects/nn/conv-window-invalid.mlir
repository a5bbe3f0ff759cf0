// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// What nn.conv asks of its window; nn.max_pool and nn.average_pool share this check.

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{strides takes 2 values, found 1 [property_c1]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{pads takes 4 values, found 2 [property_c1]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{dilations takes 2 values, found 0 [property_c1]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{strides must be at least 1, found [1, 0] [property_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 0>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{pads must be at least 0, found [0, 0, -1, 0] [property_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, -1, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{dilations must be at least 1, found [0, 1] [property_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 0, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x0x3xf32>) {
  // expected-error@+1 {{the window must be at least 1, found [0, 3] [property_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x0x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{a window of 3 with dilation 3 does not fit 6 padded elements of spatial axis 1 [window_c1]}}
  %0 = nn.conv %x, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 1>, dilations = array<i64: 1, 3>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{pads_by_remainder has for spatial axis 1 2 numbers from 0 to 1, found [0, 1, 0] [window_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, pads_by_remainder = [array<i64: 0, 1>, array<i64: 0, 1, 0>]} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{pads_by_remainder has for spatial axis 0 2 numbers from 0 to 1, found [0, 0] [window_c2]}}
  %0 = nn.conv %x, %f {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, pads_by_remainder = [array<i64: 0, 0>, array<i64>]} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{pads_by_remainder takes 2 values, found 1 [property_c1]}}
  %0 = nn.conv %x, %f {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, pads_by_remainder = [array<i64: 0, 1>]} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{Expected attribute i64 but got i32}}
  %0 = nn.conv %x, %f {strides = array<i32: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x3x3xf32>
  func.return
}

// -----

func.func @f(%x: tensor<1x4x5x5xf32>, %f: tensor<6x4x3x3xf32>) {
  // expected-error@+1 {{property 'window' expected}}
  %0 = nn.max_pool %x : (tensor<1x4x5x5xf32>) -> tensor<1x4x3x3xf32>
  func.return
}
