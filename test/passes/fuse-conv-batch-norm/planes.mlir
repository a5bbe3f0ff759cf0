// RUN: autodeploy-opt %s --split-input-file --fuse-conv-batch-norm | filecheck %s

// A convolution that turns its image has its channels where the normalisation looks for them: last.

func.func @turned(%x: tensor<1x2x4x4xf32>) -> tensor<1x4x4x3xf32> {
  %w = nn.constant #nn.dense<[1.0, 3.0, 5.0, 2.0, 4.0, 6.0] : tensor<1x1x2x3xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout first_to_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x2x4x4xf32>, tensor<1x1x2x3xf32>) -> tensor<1x4x4x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  func.return %n : tensor<1x4x4x3xf32>
}

// CHECK:      func.func @turned(%x: tensor<1x2x4x4xf32>) -> tensor<1x4x4x3xf32> {
// CHECK-NEXT:   %0 = nn.constant #nn.dense<[2.0, 4.5, 40.0, 4.0, 6.0, 48.0] : tensor<1x1x2x3xf32>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<[-1.0, 2.0, 11.0] : tensor<3xf32>>
// CHECK-NEXT:   %n = nn.conv %x, %0, %1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout first_to_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>}

// -----

// A near-miss: a filter in parts, which is filled up, is not touched again.

// CHECK:      func.func @parts(
// CHECK:        nn.batch_norm
func.func @parts(%x: tensor<1x4x4x2xf32>) -> tensor<1x4x4x3xf32> {
  %w = nn.constant #nn.dense<[1.0, 3.0, 5.0, 0.0, 2.0, 4.0, 6.0, 0.0] : tensor<1x1x1x2x4xf32>>
  %scale = nn.constant #nn.dense<[2.0, 3.0, 4.0] : tensor<3xf32>>
  %shift = nn.constant #nn.dense<[1.0, 2.0, 3.0] : tensor<3xf32>>
  %mean = nn.constant #nn.dense<[1.0, 0.0, -1.0] : tensor<3xf32>>
  %var = nn.constant #nn.dense<[1.0, 4.0, 0.25] : tensor<3xf32>>
  %y = nn.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[0, 2, 3, 1], 0 by 3>} : (tensor<1x4x4x2xf32>, tensor<1x1x1x2x4xf32>) -> tensor<1x4x4x3xf32>
  %n = nn.batch_norm %y, %scale, %shift, %mean, %var {epsilon = 0.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x4x4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x4x4x3xf32>
  func.return %n : tensor<1x4x4x3xf32>
}
