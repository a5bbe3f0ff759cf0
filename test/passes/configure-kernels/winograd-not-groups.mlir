// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels=winograd=true | filecheck %s

// Near misses of several groups: 4 channels a group, too little work to a transform; a dilation; a stride; 12
// results a group, which whole tiles do not divide; a filter that is not known;
// channels that are shuffled as they are read.

func.func @f(%x_narrow: tensor<1x56x56x128xf32>, %x_dilated: tensor<1x28x28x128xf32>, %x_strided: tensor<1x28x28x128xf32>, %x_odd_outputs: tensor<1x28x28x128xf32>, %x_unknown: tensor<1x28x28x128xf32>, %x_shuffled: tensor<1x30x30x128xf32>, %w: tensor<3x3x16x128xf32>) -> (tensor<1x56x56x128xf32>, tensor<1x26x26x128xf32>, tensor<1x14x14x128xf32>, tensor<1x28x28x96xf32>, tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>) {
  %w_narrow = nn.constant #nn.dense<0.5 : tensor<3x3x4x128xf32>>
  %narrow = nn.kernel(%x_narrow, %w_narrow) : (tensor<1x56x56x128xf32>, tensor<3x3x4x128xf32>) -> tensor<1x56x56x128xf32> {
  ^bb0(%x_: tensor<1x56x56x128xf32>, %w_: tensor<3x3x4x128xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 32 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x128xf32>, tensor<3x3x4x128xf32>) -> tensor<1x56x56x128xf32>
    nn.yield %v : tensor<1x56x56x128xf32>
  }
  %w_dilated = nn.constant #nn.dense<0.5 : tensor<3x3x16x128xf32>>
  %dilated = nn.kernel(%x_dilated, %w_dilated) : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x26x26x128xf32> {
  ^bb0(%x_: tensor<1x28x28x128xf32>, %w_: tensor<3x3x16x128xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 2, 2>, groups = 8 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x26x26x128xf32>
    nn.yield %v : tensor<1x26x26x128xf32>
  }
  %w_strided = nn.constant #nn.dense<0.5 : tensor<3x3x16x128xf32>>
  %strided = nn.kernel(%x_strided, %w_strided) : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x14x14x128xf32> {
  ^bb0(%x_: tensor<1x28x28x128xf32>, %w_: tensor<3x3x16x128xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 8 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x14x14x128xf32>
    nn.yield %v : tensor<1x14x14x128xf32>
  }
  %w_odd_outputs = nn.constant #nn.dense<0.5 : tensor<3x3x16x96xf32>>
  %odd_outputs = nn.kernel(%x_odd_outputs, %w_odd_outputs) : (tensor<1x28x28x128xf32>, tensor<3x3x16x96xf32>) -> tensor<1x28x28x96xf32> {
  ^bb0(%x_: tensor<1x28x28x128xf32>, %w_: tensor<3x3x16x96xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 8 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x128xf32>, tensor<3x3x16x96xf32>) -> tensor<1x28x28x96xf32>
    nn.yield %v : tensor<1x28x28x96xf32>
  }
  %unknown = nn.kernel(%x_unknown, %w) : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x28x28x128xf32> {
  ^bb0(%x_: tensor<1x28x28x128xf32>, %w_: tensor<3x3x16x128xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 8 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x28x28x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x28x28x128xf32>
    nn.yield %v : tensor<1x28x28x128xf32>
  }
  %w_shuffled = nn.constant #nn.dense<0.5 : tensor<3x3x16x128xf32>>
  %shuffled = nn.kernel(%x_shuffled, %w_shuffled) : (tensor<1x30x30x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x28x28x128xf32> {
  ^bb0(%x_: tensor<1x30x30x128xf32>, %w_: tensor<3x3x16x128xf32>):
    %s_a = nn.reshape %x_ : (tensor<1x30x30x128xf32>) -> tensor<1x30x30x8x16xf32>
    %s_t = nn.transpose %s_a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x30x30x8x16xf32>) -> tensor<1x30x30x16x8xf32>
    %s = nn.reshape %s_t : (tensor<1x30x30x16x8xf32>) -> tensor<1x30x30x128xf32>
    %v = nn.conv %s, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 8 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x30x30x128xf32>, tensor<3x3x16x128xf32>) -> tensor<1x28x28x128xf32>
    nn.yield %v : tensor<1x28x28x128xf32>
  }
  func.return %narrow, %dilated, %strided, %odd_outputs, %unknown, %shuffled : tensor<1x56x56x128xf32>, tensor<1x26x26x128xf32>, tensor<1x14x14x128xf32>, tensor<1x28x28x96xf32>, tensor<1x28x28x128xf32>, tensor<1x28x28x128xf32>
}

// CHECK-NOT:   winograd
// CHECK:       %narrow = nn.kernel({{.*}}) {config = #nn.config<grouped_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %dilated = nn.kernel({{.*}}) {config = #nn.config<grouped_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %strided = nn.kernel({{.*}}) {config = #nn.config<grouped_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %odd_outputs = nn.kernel({{.*}}) {config = #nn.config<grouped_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %unknown = nn.kernel({{.*}}) {config = #nn.config<grouped_conv{{.*}}>}
// CHECK-NOT:   winograd
// CHECK:       %shuffled = nn.kernel({{.*}}) {config = #nn.config<grouped_conv{{.*}}>}
// CHECK-NOT:   winograd
