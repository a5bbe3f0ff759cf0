// RUN: autodeploy-opt --convert-onnx-to-nn --verify-diagnostics --split-input-file %s | filecheck %s

// A declared type that is not the computed one is an error for elements that are stored only, too.

func.func @main(%x: tensor<3xf32>) -> tensor<2xi4> {
  %y = "onnx.Cast.v24"(%x) {to = 22 : i64} : (tensor<3xf32>) -> tensor<2xi4>
  func.return %y : tensor<2xi4>
}

// CHECK: output 0 of @main is declared as tensor<2xi4>, but the model computes tensor<3xi8>
