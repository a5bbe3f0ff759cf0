// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// A band of the image is computed while it is padded; where it is not padded, it is computed alone.

func.func @f(%x: tensor<1x56x56x128xf32>, %w: tensor<3x3x128x32xf32>) -> (tensor<1x56x56x32xf32>, tensor<1x54x54x32xf32>) {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x56x56x128xf32>, tensor<3x3x128x32xf32>) -> tensor<1x56x56x32xf32> {
  ^bb0(%a: tensor<1x56x56x128xf32>, %b: tensor<3x3x128x32xf32>):
    %r = nn.relu %a : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %c = nn.conv %r, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x128xf32>, tensor<3x3x128x32xf32>) -> tensor<1x56x56x32xf32>
    nn.yield %c : tensor<1x56x56x32xf32>
  }
  %z = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x56x56x128xf32>, tensor<3x3x128x32xf32>) -> tensor<1x54x54x32xf32> {
  ^bb0(%d: tensor<1x56x56x128xf32>, %e: tensor<3x3x128x32xf32>):
    %s = nn.relu %d : (tensor<1x56x56x128xf32>) -> tensor<1x56x56x128xf32>
    %g = nn.conv %s, %e {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x56x56x128xf32>, tensor<3x3x128x32xf32>) -> tensor<1x54x54x32xf32>
    nn.yield %g : tensor<1x54x54x32xf32>
  }
  func.return %y, %z : tensor<1x56x56x32xf32>, tensor<1x54x54x32xf32>
}

// CHECK-DAG: halide.compute_at %padded at %out "yo"
// CHECK-DAG: halide.compute_at %prologue at %out "yo"
// CHECK-NOT: halide.compute_at %prologue
