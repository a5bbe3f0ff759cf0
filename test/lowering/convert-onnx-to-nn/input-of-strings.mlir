// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// An input that only passes through is no less an input.

// CHECK: error: input 'words' of the model has type tensor<2x3x!onnx.string>, expected a tensor of numbers

func.func @main(%x: tensor<2x3x!onnx.string> {nn.name = "words"}) -> tensor<2x3x!onnx.string> {
  func.return %x : tensor<2x3x!onnx.string>
}
