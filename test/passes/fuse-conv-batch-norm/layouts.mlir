// RUN: autodeploy-opt %s --fuse-conv-batch-norm | filecheck %s

// The output channels lie elsewhere in other filter layouts; groups change nothing.

func.func @kernel_in_out(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x3xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<1x1x2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x4x4x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  func.return %n : tensor<1x4x4x3xf32>
}

func.func @packed(%x: tensor<1x2x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0] : tensor<2x1x1x2x2xf32>>
  %one = nn.constant #nn.dense<[1.0, 1.0, 1.0, 1.0] : tensor<4xf32>>
  %scale = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<4xf32>>
  %zero = nn.constant #nn.dense<0.0 : tensor<4xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 2>} : (tensor<1x2x4x4xf32>, tensor<2x1x1x2x2xf32>) -> tensor<1x4x4x4xf32>
  %n = nn.batch_norm %y, %scale, %zero, %zero, %one {epsilon = 0.0 : f64} : (tensor<1x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
  func.return %n : tensor<1x4x4x4xf32>
}

func.func @groups(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant #nn.dense<[1.0, 2.0] : tensor<2x1x1x1xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0] : tensor<2xf32>>
  %zero = nn.constant #nn.dense<0.0 : tensor<2xf32>>
  %one = nn.constant #nn.dense<1.0 : tensor<2xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %n = nn.batch_norm %y, %scale, %zero, %zero, %one {epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  func.return %n : tensor<1x2x4x4xf32>
}

// CHECK:      func.func @kernel_in_out(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[2.0, 3.0, 24.0, 8.0, 7.5, 48.0] : tensor<1x1x2x3xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[-1.0, 2.0, 11.0] : tensor<3xf32>>
// CHECK-NEXT:   %n = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
// CHECK-NEXT:   func.return %n : tensor<1x4x4x3xf32>
// CHECK-NEXT: }

// CHECK:      func.func @packed(%x: tensor<1x2x4x4xf32>) -> tensor<1x4x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[1.0, 4.0, 3.0, 8.0, 15.0, 24.0, 21.0, 32.0] : tensor<2x1x1x2x2xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<0.0 : tensor<4xf32>>
// CHECK-NEXT:   %n = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 2>} : (tensor<1x2x4x4xf32>, tensor<2x1x1x2x2xf32>, tensor<4xf32>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT:   func.return %n : tensor<1x4x4x4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @groups(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[2.0, 6.0] : tensor<2x1x1x1xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<0.0 : tensor<2xf32>>
// CHECK-NEXT:   %n = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT:   func.return %n : tensor<1x2x4x4xf32>
// CHECK-NEXT: }
