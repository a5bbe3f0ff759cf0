// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --fuse-relu-minimum | diff %t -

// What must stay as it is.

func.func @two_users(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = nn.constant #nn.dense<6.0 : tensor<f32>>
  %r = nn.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %m = nn.min %r, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %s = nn.add %r, %m : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

func.func @graph_output(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = nn.constant #nn.dense<6.0 : tensor<f32>>
  %r = nn.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %m = nn.min %r, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  func.return %m, %r : tensor<8xf32>, tensor<8xf32>
}

func.func @not_constant(%x: tensor<8xf32>, %c: tensor<f32>) -> tensor<8xf32> {
  %r = nn.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %m = nn.min %r, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  func.return %m : tensor<8xf32>
}

func.func @several_numbers(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = nn.constant #nn.dense<[6.0, 7.0] : tensor<2xf32>>
  %r = nn.relu %x : (tensor<2xf32>) -> tensor<2xf32>
  %m = nn.min %r, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %m : tensor<2xf32>
}

func.func @maximum(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = nn.constant #nn.dense<6.0 : tensor<f32>>
  %r = nn.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %m = nn.max %r, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  func.return %m : tensor<8xf32>
}

func.func @widens(%x: tensor<8xf32>) -> tensor<2x8xf32> {
  %c = nn.constant #nn.dense<6.0 : tensor<2x1xf32>>
  %r = nn.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %m = nn.min %r, %c : (tensor<8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  func.return %m : tensor<2x8xf32>
}
