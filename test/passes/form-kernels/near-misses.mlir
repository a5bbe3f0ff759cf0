// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --form-kernels | diff %t -

// What is a kernel already, data, a view of data or a copy to another place stays.

func.func @kernel(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = nn.kernel(%x) : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%i0: tensor<8xf32>):
    %k = nn.relu %i0 : (tensor<8xf32>) -> tensor<8xf32>
    nn.yield %k : tensor<8xf32>
  }
  func.return %y : tensor<8xf32>
}

func.func @reshape(%x: tensor<8xf32>) -> tensor<2x4xf32> {
  %q = nn.reshape %x : (tensor<8xf32>) -> tensor<2x4xf32>
  func.return %q : tensor<2x4xf32>
}

func.func @constant() -> tensor<8xf32> {
  %c = nn.constant #nn.dense<1.0 : tensor<8xf32>>
  func.return %c : tensor<8xf32>
}

func.func @concat(%x: tensor<8xf32>) -> tensor<16xf32> {
  %c = nn.concat %x, %x {axis = 0 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  func.return %c : tensor<16xf32>
}

func.func @slice(%x: tensor<8x8xf32>) -> tensor<4x7xf32> {
  %s = nn.slice %x {starts = array<i64: 1, 1>, sizes = array<i64: 4, 7>, steps = array<i64: 2, 1>} : (tensor<8x8xf32>) -> tensor<4x7xf32>
  func.return %s : tensor<4x7xf32>
}

func.func @transpose(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %t = nn.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  func.return %t : tensor<8x4xf32>
}
