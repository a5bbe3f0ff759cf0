// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Unsigned integers and floats need nothing around the division.

func.func @f(%x: tensor<4xui8>, %z: tensor<4xui8>) -> tensor<4xui8> {
  %y = nn.kernel(%x, %z) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8> {
  ^bb0(%x_: tensor<4xui8>, %z_: tensor<4xui8>):
    %v = nn.div %x_, %z_ : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
    nn.yield %v : tensor<4xui8>
  }
  func.return %y : tensor<4xui8>
}

// CHECK:          %2 = halide.div %0, %1 : ui8
// CHECK:          halide.yield %2 : ui8
