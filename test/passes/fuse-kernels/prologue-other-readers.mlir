// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Near misses: another kernel reads the image, too; it is a result; the kernel adds it as well; it is no image but the right-hand side.

func.func @f(%x: tensor<1x56x56x128xf32>, %w: tensor<1x1x128x128xf32>, %l: tensor<64x3136xf32>, %z: tensor<3136x512xf32>) -> (tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>, tensor<64x512xf32>) {
  %a = nn.relu %x : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %y = nn.conv %a, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x128xf32>, tensor<1x1x128x128xf32>) -> tensor<1x56x56x128xf32>
  %v = nn.exp %a : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %b = nn.abs %x : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %u = nn.conv %b, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x128xf32>, tensor<1x1x128x128xf32>) -> tensor<1x56x56x128xf32>
  %c = nn.neg %x : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
  %t = nn.kernel(%c, %w) : (tensor<1x56x56x128xf32>, tensor<1x1x128x128xf32>) -> tensor<1x56x56x128xf32> {
  ^bb0(%k: tensor<1x56x56x128xf32>, %f: tensor<1x1x128x128xf32>):
    %m = nn.conv %k, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x128xf32>, tensor<1x1x128x128xf32>) -> tensor<1x56x56x128xf32>
    %s = nn.add %m, %k : (tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    nn.yield %s : tensor<1x56x56x128xf32>
  }
  %d = nn.relu %z : (tensor<3136x512xf32>) -> tensor<3136x512xf32>
  %q = nn.matmul %l, %d : (tensor<64x3136xf32>, tensor<3136x512xf32>) -> tensor<64x512xf32>
  func.return %y, %v, %b, %u, %t, %q : tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>, tensor<1x56x56x128xf32>, tensor<64x512xf32>
}

// CHECK-COUNT-9: nn.kernel(
// CHECK-NOT:     nn.kernel(
