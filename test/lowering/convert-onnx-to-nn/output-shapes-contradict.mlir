// RUN: autodeploy-opt --convert-onnx-to-nn %s 2>&1 | filecheck %s

// ONNX infers no shapes of other domains: an output has the shape that the model states, and exporters state wrong ones.

// CHECK: warning: output 0 is declared as [?, 1], but the model computes [4, 3], which it is compiled for
// CHECK: -> tensor<4x3xf32>

func.func @main(%x: tensor<4x3xf32>) -> tensor<?x1xf32> {
  %y = "onnx.ml.Normalizer"(%x) <{norm = "L1"}> : (tensor<4x3xf32>) -> tensor<?x1xf32>
  func.return %y : tensor<?x1xf32>
}
