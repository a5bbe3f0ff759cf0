// RUN: autodeploy-opt %s --fuse --form-kernels | filecheck %s

// The kernel of the product stores codes, which the one of the fold widens.

func.func @main(%x: tensor<9x8xf32>, %w: tensor<8x16xf32>) -> tensor<16xi32> {
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<i8>>
  %y = nn.matmul %x, %w : (tensor<9x8xf32>, tensor<8x16xf32>) -> tensor<9x16xf32>
  %q = nn.quantize %y, %s, %z : (tensor<9x16xf32>, tensor<f32>, tensor<i8>) -> tensor<9x16xi8>
  %n = nn.cast %q : (tensor<9x16xi8>) -> tensor<9x16xi32>
  %r = nn.reduce %n {kind = #nn<reduction sum>, axes = array<i64: 0>} : (tensor<9x16xi32>) -> tensor<16xi32>
  func.return %r : tensor<16xi32>
}

// CHECK: nn.kernel(%x, %w) : (tensor<9x8xf32>, tensor<8x16xf32>) -> tensor<9x16xi8>
// CHECK: nn.kernel({{.*}}) : (tensor<9x16xi8>) -> tensor<16xi32>
