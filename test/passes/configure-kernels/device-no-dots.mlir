// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=cuda --place-kernels --configure-kernels | filecheck %s

// No products are added up by one instruction of four if four do not divide the steps, if weights are not signed bytes,
// if an input brings them, or of channels of groups.

// CHECK-NOT: dot =

func.func @odd(%x: tensor<3x6xi8>) -> tensor<3x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<6x8xi8>>
  %y = nn.kernel(%x, %w) : (tensor<3x6xi8>, tensor<6x8xi8>) -> tensor<3x8xi32> {
  ^bb0(%i: tensor<3x6xi8>, %j: tensor<6x8xi8>):
    %r = nn.matmul %i, %j {accumulator = i32} : (tensor<3x6xi8>, tensor<6x8xi8>) -> tensor<3x8xi32>
    nn.yield %r : tensor<3x8xi32>
  }
  func.return %y : tensor<3x8xi32>
}

// -----

func.func @unsigned(%x: tensor<3x8xi8>) -> tensor<3x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<8x8xui8>>
  %y = nn.kernel(%x, %w) : (tensor<3x8xi8>, tensor<8x8xui8>) -> tensor<3x8xi32> {
  ^bb0(%i: tensor<3x8xi8>, %j: tensor<8x8xui8>):
    %r = nn.matmul %i, %j {accumulator = i32} : (tensor<3x8xi8>, tensor<8x8xui8>) -> tensor<3x8xi32>
    nn.yield %r : tensor<3x8xi32>
  }
  func.return %y : tensor<3x8xi32>
}

// -----

func.func @words(%x: tensor<3x8xi16>) -> tensor<3x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<8x8xi8>>
  %y = nn.kernel(%x, %w) : (tensor<3x8xi16>, tensor<8x8xi8>) -> tensor<3x8xi32> {
  ^bb0(%i: tensor<3x8xi16>, %j: tensor<8x8xi8>):
    %r = nn.matmul %i, %j {accumulator = i32} : (tensor<3x8xi16>, tensor<8x8xi8>) -> tensor<3x8xi32>
    nn.yield %r : tensor<3x8xi32>
  }
  func.return %y : tensor<3x8xi32>
}

// -----

func.func @given(%x: tensor<3x8xi8>, %w: tensor<8x8xi8>) -> tensor<3x8xi32> {
  %y = nn.kernel(%x, %w) : (tensor<3x8xi8>, tensor<8x8xi8>) -> tensor<3x8xi32> {
  ^bb0(%i: tensor<3x8xi8>, %j: tensor<8x8xi8>):
    %r = nn.matmul %i, %j {accumulator = i32} : (tensor<3x8xi8>, tensor<8x8xi8>) -> tensor<3x8xi32>
    nn.yield %r : tensor<3x8xi32>
  }
  func.return %y : tensor<3x8xi32>
}

// -----

func.func @groups(%x: tensor<1x5x5x8xi8>) -> tensor<1x3x3x8xi32> {
  %w = nn.constant #nn.dense<1 : tensor<3x3x4x8xi8>>
  %y = nn.kernel(%x, %w) : (tensor<1x5x5x8xi8>, tensor<3x3x4x8xi8>) -> tensor<1x3x3x8xi32> {
  ^bb0(%i: tensor<1x5x5x8xi8>, %j: tensor<3x3x4x8xi8>):
    %r = nn.conv %i, %j {groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x5x5x8xi8>, tensor<3x3x4x8xi8>) -> tensor<1x3x3x8xi32>
    nn.yield %r : tensor<1x3x3x8xi32>
  }
  func.return %y : tensor<1x3x3x8xi32>
}
