// RUN: autodeploy-opt %s | autodeploy-opt | filecheck %s

// The caller knows strings in cells; the function has the bytes of these.

func.func @words(%x: tensor<2x16xui8> {nn.stored = tensor<2x!nn.string<16>>}) {
  func.return
}

// CHECK: func.func @words(%x: tensor<2x16xui8> {nn.stored = tensor<2x!nn.string<16>>}) {
