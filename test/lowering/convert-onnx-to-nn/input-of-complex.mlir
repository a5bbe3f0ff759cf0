// RUN: not autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// An input that only passes through is no less an input.

// CHECK: error: input 'z' of the model has type tensor<2x3xcomplex<f32>>, expected a tensor of numbers

func.func @main(%x: tensor<2x3xcomplex<f32>> {nn.name = "z"}) -> tensor<2x3xcomplex<f32>> {
  func.return %x : tensor<2x3xcomplex<f32>>
}
