// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --form-kernels | diff %t -

// What is a kernel already, data or a view of data stays.

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
