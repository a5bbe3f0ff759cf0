// RUN: autodeploy-opt %s --configure-kernels --pack-weights --tie-tables --fold-nn-constants --cse | filecheck %s

// Rows of words are columns of the product's matrix, in the order in which it is packed: tiles of 16
// columns, the last one filled up, of integers with four neighbours.

module attributes {autodeploy.machine = #machine.description<"x86-64-zen4">} {

func.func @floats(%i: tensor<3xi64>, %a: tensor<1x64xf32>) -> (tensor<3x64xf32>, tensor<1x4100xf32>) {
  %t = nn.constant #nn.dense<1.5 : tensor<4100x64xf32>>
  %x = nn.kernel(%t, %i) : (tensor<4100x64xf32>, tensor<3xi64>) -> tensor<3x64xf32> {
  ^bb0(%w: tensor<4100x64xf32>, %j: tensor<3xi64>):
    %v = nn.gather %w, %j {axis = 0 : i64} : (tensor<4100x64xf32>, tensor<3xi64>) -> tensor<3x64xf32>
    nn.yield %v : tensor<3x64xf32>
  }
  %m = nn.constant #nn.dense<1.5 : tensor<64x4100xf32>>
  %y = nn.kernel(%a, %m) : (tensor<1x64xf32>, tensor<64x4100xf32>) -> tensor<1x4100xf32> {
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<64x4100xf32>):
    %v = nn.matmul %l, %r : (tensor<1x64xf32>, tensor<64x4100xf32>) -> tensor<1x4100xf32>
    nn.yield %v : tensor<1x4100xf32>
  }
  func.return %x, %y : tensor<3x64xf32>, tensor<1x4100xf32>
}

func.func @codes(%i: tensor<3xi64>, %a: tensor<1x64xui8>) -> (tensor<3x64xi8>, tensor<1x16400xi32>) {
  %t = nn.constant #nn.dense<2 : tensor<16400x64xi8>>
  %x = nn.kernel(%t, %i) : (tensor<16400x64xi8>, tensor<3xi64>) -> tensor<3x64xi8> {
  ^bb0(%w: tensor<16400x64xi8>, %j: tensor<3xi64>):
    %v = nn.gather %w, %j {axis = 0 : i64} : (tensor<16400x64xi8>, tensor<3xi64>) -> tensor<3x64xi8>
    nn.yield %v : tensor<3x64xi8>
  }
  %m = nn.constant #nn.dense<2 : tensor<64x16400xi8>>
  %y = nn.kernel(%a, %m) : (tensor<1x64xui8>, tensor<64x16400xi8>) -> tensor<1x16400xi32> {
  ^bb0(%l: tensor<1x64xui8>, %r: tensor<64x16400xi8>):
    %v = nn.matmul %l, %r {accumulator = i32} : (tensor<1x64xui8>, tensor<64x16400xi8>) -> tensor<1x16400xi32>
    nn.yield %v : tensor<1x16400xi32>
  }
  func.return %x, %y : tensor<3x64xi8>, tensor<1x16400xi32>
}

// A product whose weights are not packed has the matrix by columns.
func.func @plain(%i: tensor<3xi64>, %a: tensor<1x64xf32>) -> (tensor<3x64xf32>, tensor<1x4096xf32>) {
  %t = nn.constant #nn.dense<1.5 : tensor<4096x64xf32>>
  %x = nn.kernel(%t, %i) : (tensor<4096x64xf32>, tensor<3xi64>) -> tensor<3x64xf32> {
  ^bb0(%w: tensor<4096x64xf32>, %j: tensor<3xi64>):
    %v = nn.gather %w, %j {axis = 0 : i64} : (tensor<4096x64xf32>, tensor<3xi64>) -> tensor<3x64xf32>
    nn.yield %v : tensor<3x64xf32>
  }
  %m = nn.constant #nn.dense<1.5 : tensor<64x4096xf32>>
  %y = nn.kernel(%a, %m) {config = #nn.config<plain>} : (tensor<1x64xf32>, tensor<64x4096xf32>) -> tensor<1x4096xf32> {
  ^bb0(%l: tensor<1x64xf32>, %r: tensor<64x4096xf32>):
    %v = nn.matmul %l, %r : (tensor<1x64xf32>, tensor<64x4096xf32>) -> tensor<1x4096xf32>
    nn.yield %v : tensor<1x4096xf32>
  }
  func.return %x, %y : tensor<3x64xf32>, tensor<1x4096xf32>
}
}

// CHECK-LABEL: @floats
// CHECK:      %[[W:.*]] = nn.constant
// CHECK-NEXT: nn.kernel(%[[W]], %i)
// CHECK:      nn.gather %{{.*}} {axis = 0 : i64, x_layout = #nn.tiled<[0, 1], 0 by 16 of 4100>} : (tensor<260x64x16xf32>, tensor<3xi64>) -> tensor<3x64xf32>
// CHECK:      nn.kernel(%a, %[[W]])
// CHECK:      nn.matmul %{{.*}} {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 4100>} : (tensor<1x64xf32>, tensor<260x64x16xf32>) -> tensor<1x4100xf32>

// CHECK-LABEL: @codes
// CHECK:      nn.gather %{{.*}} {axis = 0 : i64, x_layout = #nn.tiled<[0, 1], 0 by 16 of 16400, 1 by 4>} : (tensor<[[N:.*]]x16x16x4xi8>, tensor<3xi64>) -> tensor<3x64xi8>
// CHECK:      nn.matmul {{.*}}rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 16400, 0 by 4>} : (tensor<1x64xui8>, tensor<[[N]]x16x16x4xi8>) -> tensor<1x16400xi32>

// CHECK-LABEL: @plain
// CHECK:      %[[M:.*]] = nn.constant
// CHECK-NEXT: nn.kernel(%[[M]], %i)
// CHECK:      nn.gather %{{.*}} {axis = 0 : i64, x_layout = #nn.tiled<[1, 0]>} : (tensor<64x4096xf32>, tensor<3xi64>) -> tensor<3x64xf32>
// CHECK:      nn.kernel(%a, %[[M]])
