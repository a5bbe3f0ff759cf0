// RUN: autodeploy-opt %s --flatten-products | filecheck %s

// A constant inside the kernel becomes a matrix too: with its four axes it would broadcast the product.

func.func @f(%x: tensor<1x3x5x8xf32>, %w: tensor<1x1x8x16xf32>) -> tensor<1x3x5x16xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x3x5x8xf32>, tensor<1x1x8x16xf32>) -> tensor<1x3x5x16xf32> {
  ^bb0(%a: tensor<1x3x5x8xf32>, %b: tensor<1x1x8x16xf32>):
    %c = nn.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x3x5x8xf32>, tensor<1x1x8x16xf32>) -> tensor<1x3x5x16xf32>
    %s = nn.constant #nn.dense<0.25 : tensor<1x1x1x1xf32>>
    %p = nn.prelu %c, %s : (tensor<1x3x5x16xf32>, tensor<1x1x1x1xf32>) -> tensor<1x3x5x16xf32>
    nn.yield %p : tensor<1x3x5x16xf32>
  }
  func.return %y : tensor<1x3x5x16xf32>
}

// CHECK:      %y = nn.kernel(%0, %1) : (tensor<15x8xf32>, tensor<8x16xf32>) -> tensor<15x16xf32> {
// CHECK:        %2 = nn.matmul %a, %b : (tensor<15x8xf32>, tensor<8x16xf32>) -> tensor<15x16xf32>
// CHECK-NEXT:   %3 = nn.constant #nn.dense<[0.25] : tensor<1x1xf32>>
// CHECK-NEXT:   %p = nn.prelu %2, %3 : (tensor<15x16xf32>, tensor<1x1xf32>) -> tensor<15x16xf32>
