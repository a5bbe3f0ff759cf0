// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// Pools: windows, ceil_mode, divisor, layout.

func.func @f(%x: tensor<1x2x7x7xf32>, %l: tensor<1x7x2xf32>, %q: tensor<1x2x7x7xui8>) {
  %0 = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x3x3xf32>
  %1 = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 1>, ceil_mode = true} : (tensor<1x2x7x7xf32>) -> tensor<1x2x3x4xf32>
  %2 = nn.max_pool %q {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xui8>) -> tensor<1x2x7x7xui8>
  %3 = nn.average_pool %x {window = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x1x1xf32>
  %4 = nn.average_pool %l {window = array<i64: 3>, strides = array<i64: 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1>, layout = #nn<layout channels_last>, count_include_pad = true} : (tensor<1x7x2xf32>) -> tensor<1x4x2xf32>
  func.return
}

// CHECK:      func.func @f(%x: tensor<1x2x7x7xf32>, %l: tensor<1x7x2xf32>, %q: tensor<1x2x7x7xui8>) {
// CHECK-NEXT:   %0 = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x3x3xf32>
// CHECK-NEXT:   %1 = nn.max_pool %x {window = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 1>, ceil_mode = true} : (tensor<1x2x7x7xf32>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT:   %2 = nn.max_pool %q {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xui8>) -> tensor<1x2x7x7xui8>
// CHECK-NEXT:   %3 = nn.average_pool %x {window = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x1x1xf32>
// CHECK-NEXT:   %4 = nn.average_pool %l {window = array<i64: 3>, strides = array<i64: 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1>, layout = #nn<layout channels_last>, count_include_pad = true} : (tensor<1x7x2xf32>) -> tensor<1x4x2xf32>
// CHECK-NEXT:   func.return
// CHECK-NEXT: }
