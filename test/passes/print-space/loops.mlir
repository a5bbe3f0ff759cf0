// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels --print-space | filecheck %s

// Windows, rows, normalisations over neighbours and pointwise kernels have knobs, too.

func.func @f(%x: tensor<1x2x3x8xf32>) -> (tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>) {
  %window = nn.max_pool %x {window = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>} : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
  %row = nn.softmax %x {axis = 3 : i64} : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
  %lrn = nn.lrn %x {size = 5 : i64, alpha = 2.0 : f64, beta = 0.75 : f64, bias = 1.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
  %plain = nn.exp %x : (tensor<1x2x3x8xf32>) -> tensor<1x2x3x8xf32>
  func.return %window, %row, %lrn, %plain : tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>
}

// CHECK:      // %window of nn.max_pool: #nn.config<window, tile = [8, 3, 1], order = [c, x, y], unroll = [2], shares = [4]>
// CHECK-NEXT: //   window
// CHECK-NEXT: //     tile: [1, 1, 1], [1, 1, 2], {{.*}}, [8, 3, 1], [8, 3, 2]
// CHECK-NEXT: //     order: [c, x, y], [x, c, y], [x, y, c]
// CHECK-NEXT: //     unroll: [0], [1], [2]
// CHECK-NEXT: //     shares: [], [1], [2], [4], [8], [16]
// CHECK-NEXT: //   plain
// CHECK-NEXT: //     vector: [16], [32]
// CHECK-NEXT: //     shares: [], [1], [2], [4], [8], [16]
// CHECK-NEXT: // %row of nn.softmax: #nn.config<row, vector = [32], unroll = [8], shares = [4]>
// CHECK-NEXT: //   row
// CHECK-NEXT: //     vector: [16], [32]
// CHECK-NEXT: //     unroll: [1], [2], [4], [8], [16], [32]
// CHECK-NEXT: //     shares: [], [1], [2], [4], [8], [16]
// CHECK-NEXT: //   plain
// CHECK:      // %lrn of nn.lrn: #nn.config<lrn, vector = [32], tile = [3], unroll = [5], shares = [4]>
// CHECK-NEXT: //   lrn
// CHECK-NEXT: //     vector: [16], [32]
// CHECK-NEXT: //     tile: [1] to [3]
// CHECK-NEXT: //     unroll: [], [5]
// CHECK:      // %plain of nn.exp: #nn.config<plain, vector = [32], unroll = [1], shares = [4]>
// CHECK-NEXT: //   plain
// CHECK-NEXT: //     vector: [16], [32]
// CHECK-NEXT: //     unroll: [1], [2], [4], [8]
// CHECK-NEXT: //     shares: [], [1], [2], [4], [8], [16]
