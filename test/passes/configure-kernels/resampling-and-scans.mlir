// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// Transposed convolutions, resizes, normalisations, scans and places of extremes.

func.func @f(%x: tensor<1x2x4xf32>, %w: tensor<3x2x2xf32>, %s: tensor<4xf32>) -> (tensor<1x3x5xf32>, tensor<1x2x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2xi32>) {
  %a = nn.conv_transpose %x, %w {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x2x4xf32>, tensor<3x2x2xf32>) -> tensor<1x3x5xf32>
  %b = nn.resize %x {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1>, offsets = array<i64: 0, 0, 0>, denominators = array<i64: 1, 1, 2>} : (tensor<1x2x4xf32>) -> tensor<1x2x8xf32>
  %c = nn.layer_norm %x, %s {axis = 2 : i64, epsilon = 0.5 : f64} : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
  %d = nn.lrn %x {size = 3 : i64, alpha = 0.5 : f64, beta = 0.5 : f64, bias = 1.0 : f64} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %e = nn.cumsum %x {axis = 2 : i64} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
  %g = nn.arg_reduce %x {kind = #nn<reduction max>, axis = 2 : i64} : (tensor<1x2x4xf32>) -> tensor<1x2xi32>
  func.return %a, %b, %c, %d, %e, %g : tensor<1x3x5xf32>, tensor<1x2x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2xi32>
}

// CHECK:      func.func @f(%x: tensor<1x2x4xf32>, %w: tensor<3x2x2xf32>, %s: tensor<4xf32>) -> (tensor<1x3x5xf32>, tensor<1x2x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2xi32>) {
// CHECK-NEXT:   %a = nn.kernel(%x, %w) {config = #nn.config<plain, vector = [32]>} : (tensor<1x2x4xf32>, tensor<3x2x2xf32>) -> tensor<1x3x5xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4xf32>, %w_1: tensor<3x2x2xf32>):
// CHECK-NEXT:     %a_1 = nn.conv_transpose %x_1, %w_1 {strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x2x4xf32>, tensor<3x2x2xf32>) -> tensor<1x3x5xf32>
// CHECK-NEXT:     nn.yield %a_1 : tensor<1x3x5xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %b = nn.kernel(%x) {config = #nn.config<plain, vector = [32]>} : (tensor<1x2x4xf32>) -> tensor<1x2x8xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4xf32>):
// CHECK-NEXT:     %b_1 = nn.resize %x_1 {interpolation = #nn<interpolation nearest>, numerators = array<i64: 1, 1, 1>, offsets = array<i64: 0, 0, 0>, denominators = array<i64: 1, 1, 2>} : (tensor<1x2x4xf32>) -> tensor<1x2x8xf32>
// CHECK-NEXT:     nn.yield %b_1 : tensor<1x2x8xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %c = nn.kernel(%x, %s) {config = #nn.config<row, vector = [32], unroll = [8]>} : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4xf32>, %s_1: tensor<4xf32>):
// CHECK-NEXT:     %c_1 = nn.layer_norm %x_1, %s_1 {axis = 2 : i64, epsilon = 5.000000e-01 : f64} : (tensor<1x2x4xf32>, tensor<4xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT:     nn.yield %c_1 : tensor<1x2x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %d = nn.kernel(%x) {config = #nn.config<lrn, vector = [32]>} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4xf32>):
// CHECK-NEXT:     %d_1 = nn.lrn %x_1 {size = 3 : i64, alpha = 5.000000e-01 : f64, beta = 5.000000e-01 : f64, bias = 1.000000e+00 : f64} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT:     nn.yield %d_1 : tensor<1x2x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %e = nn.kernel(%x) {config = #nn.config<plain, vector = [32]>} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4xf32>):
// CHECK-NEXT:     %e_1 = nn.cumsum %x_1 {axis = 2 : i64} : (tensor<1x2x4xf32>) -> tensor<1x2x4xf32>
// CHECK-NEXT:     nn.yield %e_1 : tensor<1x2x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %g = nn.kernel(%x) {config = #nn.config<row, vector = [32], unroll = [8]>} : (tensor<1x2x4xf32>) -> tensor<1x2xi32> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x2x4xf32>):
// CHECK-NEXT:     %g_1 = nn.arg_reduce %x_1 {kind = #nn<reduction max>, axis = 2 : i64} : (tensor<1x2x4xf32>) -> tensor<1x2xi32>
// CHECK-NEXT:     nn.yield %g_1 : tensor<1x2xi32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %a, %b, %c, %d, %e, %g : tensor<1x3x5xf32>, tensor<1x2x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2xi32>
// CHECK-NEXT: }
