// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-layer-norm | diff %t -

// Axes that are not the last ones, that differ, or that scale or shift do not match.

func.func @middle_axis(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %eps = nn.constant #nn.dense<1.0e-05 : tensor<f32>>
  %m = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 1>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x1x8xf32>
  %d = nn.sub %x, %m : (tensor<2x3x8xf32>, tensor<2x1x8xf32>) -> tensor<2x3x8xf32>
  %q = nn.pow %d, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %v = nn.reduce %q {kind = #nn<reduction mean>, axes = array<i64: 1>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x1x8xf32>
  %e = nn.add %v, %eps : (tensor<2x1x8xf32>, tensor<f32>) -> tensor<2x1x8xf32>
  %s = nn.sqrt %e : (tensor<2x1x8xf32>) -> tensor<2x1x8xf32>
  %n = nn.div %d, %s : (tensor<2x3x8xf32>, tensor<2x1x8xf32>) -> tensor<2x3x8xf32>
  %p = nn.mul %n, %g : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %y = nn.add %p, %b : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  func.return %y : tensor<2x3x8xf32>
}

func.func @other_axes(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %eps = nn.constant #nn.dense<1.0e-05 : tensor<f32>>
  %m = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 1, 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x1x1xf32>
  %d = nn.sub %x, %m : (tensor<2x3x8xf32>, tensor<2x1x1xf32>) -> tensor<2x3x8xf32>
  %q = nn.pow %d, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %v = nn.reduce %q {kind = #nn<reduction mean>, axes = array<i64: 1, 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x1x1xf32>
  %e = nn.add %v, %eps : (tensor<2x1x1xf32>, tensor<f32>) -> tensor<2x1x1xf32>
  %s = nn.sqrt %e : (tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %n = nn.div %d, %s : (tensor<2x3x8xf32>, tensor<2x1x1xf32>) -> tensor<2x3x8xf32>
  %p = nn.mul %n, %g : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %y = nn.add %p, %b : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  func.return %y : tensor<2x3x8xf32>
}

func.func @scalar_scale(%x: tensor<2x3x8xf32>, %g: tensor<f32>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %eps = nn.constant #nn.dense<1.0e-05 : tensor<f32>>
  %m = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %d = nn.sub %x, %m : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %q = nn.pow %d, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %v = nn.reduce %q {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %e = nn.add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %s = nn.sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = nn.div %d, %s : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %p = nn.mul %n, %g : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %y = nn.add %p, %b : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  func.return %y : tensor<2x3x8xf32>
}

func.func @wide_shift(%x: tensor<2x3x8xf32>, %g: tensor<8xf32>, %b: tensor<3x8xf32>) -> tensor<2x3x8xf32> {
  %two = nn.constant #nn.dense<2.0 : tensor<f32>>
  %eps = nn.constant #nn.dense<1.0e-05 : tensor<f32>>
  %m = nn.reduce %x {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %d = nn.sub %x, %m : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %q = nn.pow %d, %two : (tensor<2x3x8xf32>, tensor<f32>) -> tensor<2x3x8xf32>
  %v = nn.reduce %q {kind = #nn<reduction mean>, axes = array<i64: 2>, keepdims = true} : (tensor<2x3x8xf32>) -> tensor<2x3x1xf32>
  %e = nn.add %v, %eps : (tensor<2x3x1xf32>, tensor<f32>) -> tensor<2x3x1xf32>
  %s = nn.sqrt %e : (tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  %n = nn.div %d, %s : (tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x8xf32>
  %p = nn.mul %n, %g : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  %y = nn.add %p, %b : (tensor<2x3x8xf32>, tensor<3x8xf32>) -> tensor<2x3x8xf32>
  func.return %y : tensor<2x3x8xf32>
}
