// RUN: autodeploy-opt %s --flatten-products | filecheck %s

// Pixels that a slice in the kernel takes become rows there. The image has more pixels, and stays as it is.

// CHECK-LABEL: @f
// CHECK:       nn.kernel(%x, [[w:%.*]], [[r:%.*]]) : (tensor<1x5x9x8xf32>, tensor<8x16xf32>, tensor<15x16xf32>) -> tensor<15x16xf32> {
// CHECK:         [[taken:%.*]] = nn.slice {{%.*}} {starts = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 3, 5, 8>, steps = array<i64: 1, 2, 2, 1>}
// CHECK-NEXT:    [[rows:%.*]] = nn.reshape [[taken]] : (tensor<1x3x5x8xf32>) -> tensor<15x8xf32>
// CHECK-NEXT:    nn.matmul [[rows]],
// CHECK-NEXT:    nn.add
func.func @f(%x: tensor<1x5x9x8xf32>, %w: tensor<1x1x8x16xf32>, %r: tensor<1x3x5x16xf32>) -> tensor<1x3x5x16xf32> {
  %y = nn.kernel(%x, %w, %r) : (tensor<1x5x9x8xf32>, tensor<1x1x8x16xf32>, tensor<1x3x5x16xf32>) -> tensor<1x3x5x16xf32> {
  ^bb0(%a: tensor<1x5x9x8xf32>, %b: tensor<1x1x8x16xf32>, %d: tensor<1x3x5x16xf32>):
    %t = nn.slice %a {starts = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 3, 5, 8>, steps = array<i64: 1, 2, 2, 1>} : (tensor<1x5x9x8xf32>) -> tensor<1x3x5x8xf32>
    %c = nn.conv %t, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x3x5x8xf32>, tensor<1x1x8x16xf32>) -> tensor<1x3x5x16xf32>
    %s = nn.add %c, %d : (tensor<1x3x5x16xf32>, tensor<1x3x5x16xf32>) -> tensor<1x3x5x16xf32>
    nn.yield %s : tensor<1x3x5x16xf32>
  }
  func.return %y : tensor<1x3x5x16xf32>
}

// Not where the kernel adds the image to something, too: then it would be read as rows.

// CHECK-LABEL: @twice
// CHECK-NOT:   nn.matmul
func.func @twice(%x: tensor<1x1x2x8xf32>, %w: tensor<1x1x8x8xf32>) -> tensor<1x1x2x8xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x1x2x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x1x2x8xf32> {
  ^bb0(%a: tensor<1x1x2x8xf32>, %b: tensor<1x1x8x8xf32>):
    %t = nn.slice %a {starts = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 1, 1, 8>, steps = array<i64: 1, 1, 2, 1>} : (tensor<1x1x2x8xf32>) -> tensor<1x1x1x8xf32>
    %c = nn.conv %t, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x1x1x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x1x1x8xf32>
    %s = nn.add %c, %a : (tensor<1x1x1x8xf32>, tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
    nn.yield %s : tensor<1x1x2x8xf32>
  }
  func.return %y : tensor<1x1x2x8xf32>
}
