// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// A convolution from channels first to channels last pads plane by plane and sums to vectors of channels.

func.func @f(%x: tensor<1x3x4x5xf32>, %w: tensor<3x3x3x8xf32>) -> tensor<1x4x5x8xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x3x4x5xf32>, tensor<3x3x3x8xf32>) -> tensor<1x4x5x8xf32> {
  ^bb0(%x_: tensor<1x3x4x5xf32>, %w_: tensor<3x3x3x8xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout first_to_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x3x4x5xf32>, tensor<3x3x3x8xf32>) -> tensor<1x4x5x8xf32>
    nn.yield %v : tensor<1x4x5x8xf32>
  }
  func.return %y : tensor<1x4x5x8xf32>
}

// CHECK:        %padded = halide.func "padded"(x %x, y %y, c %c, n %n) in [7, 6, 3, 1] : f32 {
// CHECK:        halide.update %conv(c %c_2, x %x_2, y %y_2, n %n_2) over (ci %ci in 0 to 3, kx %kx in 0 to 3, ky %ky in 0 to 3) : !halide.func<f32, 4> {
// CHECK:          %[[Y:.*]] = halide.add %y_2, %ky : i32
// CHECK-NEXT:     %[[X:.*]] = halide.add %x_2, %kx : i32
// CHECK-NEXT:     halide.load %padded[%[[X]], %[[Y]], %ci, %n_2] : !halide.func<f32, 4> to f32
// CHECK:        %out = halide.func "out"(c %c_3, x %x_3, y %y_3, n %n_3) in [8, 5, 4, 1] : f32 {
