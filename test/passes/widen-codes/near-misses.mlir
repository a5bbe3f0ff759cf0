// RUN: autodeploy-opt %s > %t
// RUN: autodeploy-opt %s --widen-codes | diff %t -

// Codes of an input, codes that a caller reads, wide weights, and several groups.

module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {

func.func @of_input(%x: tensor<4x2xui8>) -> tensor<4x2xi32> {
  %w = nn.constant #nn.dense<[4, -2, 1, 5] : tensor<2x2xi8>>
  %c = nn.kernel(%x, %w) : (tensor<4x2xui8>, tensor<2x2xi8>) -> tensor<4x2xi32> {
  ^bb0(%p: tensor<4x2xui8>, %q: tensor<2x2xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<4x2xui8>, tensor<2x2xi8>) -> tensor<4x2xi32>
    nn.yield %m : tensor<4x2xi32>
  }
  func.return %c : tensor<4x2xi32>
}

func.func @returned(%x: tensor<4x2xui8>) -> (tensor<4x2xi32>, tensor<4x2xui8>) {
  %w = nn.constant #nn.dense<[4, -2, 1, 5] : tensor<2x2xi8>>
  %d = nn.kernel(%x) : (tensor<4x2xui8>) -> tensor<4x2xui8> {
  ^bb0(%p: tensor<4x2xui8>):
    %m = nn.max %p, %p : (tensor<4x2xui8>, tensor<4x2xui8>) -> tensor<4x2xui8>
    nn.yield %m : tensor<4x2xui8>
  }
  %c = nn.kernel(%d, %w) : (tensor<4x2xui8>, tensor<2x2xi8>) -> tensor<4x2xi32> {
  ^bb0(%p: tensor<4x2xui8>, %q: tensor<2x2xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<4x2xui8>, tensor<2x2xi8>) -> tensor<4x2xi32>
    nn.yield %m : tensor<4x2xi32>
  }
  func.return %c, %d : tensor<4x2xi32>, tensor<4x2xui8>
}

func.func @wide_weights(%x: tensor<4x2xui8>) -> tensor<4x2xi32> {
  %w = nn.constant #nn.dense<[400, -2, 1, 5] : tensor<2x2xi16>>
  %d = nn.kernel(%x) : (tensor<4x2xui8>) -> tensor<4x2xui8> {
  ^bb0(%p: tensor<4x2xui8>):
    %m = nn.max %p, %p : (tensor<4x2xui8>, tensor<4x2xui8>) -> tensor<4x2xui8>
    nn.yield %m : tensor<4x2xui8>
  }
  %c = nn.kernel(%d, %w) : (tensor<4x2xui8>, tensor<2x2xi16>) -> tensor<4x2xi32> {
  ^bb0(%p: tensor<4x2xui8>, %q: tensor<2x2xi16>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<4x2xui8>, tensor<2x2xi16>) -> tensor<4x2xi32>
    nn.yield %m : tensor<4x2xi32>
  }
  func.return %c : tensor<4x2xi32>
}

func.func @groups(%x: tensor<1x2x3x3xui8>) -> tensor<1x2x3x3xi32> {
  %w = nn.constant #nn.dense<[4, -2] : tensor<2x1x1x1xi8>>
  %d = nn.kernel(%x) : (tensor<1x2x3x3xui8>) -> tensor<1x2x3x3xui8> {
  ^bb0(%p: tensor<1x2x3x3xui8>):
    %m = nn.max %p, %p : (tensor<1x2x3x3xui8>, tensor<1x2x3x3xui8>) -> tensor<1x2x3x3xui8>
    nn.yield %m : tensor<1x2x3x3xui8>
  }
  %c = nn.kernel(%d, %w) : (tensor<1x2x3x3xui8>, tensor<2x1x1x1xi8>) -> tensor<1x2x3x3xi32> {
  ^bb0(%p: tensor<1x2x3x3xui8>, %q: tensor<2x1x1x1xi8>):
    %m = nn.conv %p, %q {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 2 : i64, accumulator = i32} : (tensor<1x2x3x3xui8>, tensor<2x1x1x1xi8>) -> tensor<1x2x3x3xi32>
    nn.yield %m : tensor<1x2x3x3xi32>
  }
  func.return %c : tensor<1x2x3x3xi32>
}

}
