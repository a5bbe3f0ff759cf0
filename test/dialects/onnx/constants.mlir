// RUN: autodeploy-opt %s | filecheck %s

// Constants whose elements nn lacks: strings, packed small numbers, complex numbers.

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: #onnx.strings<["a", "\C3\A9"] : tensor<2x!onnx.string>>
  %0 = "onnx.Constant"() <{value = #onnx.strings<["a", "\C3\A9"] : tensor<2x!onnx.string>>}> : () -> tensor<2x!onnx.string>
  // CHECK: #onnx.strings<["one"] : tensor<!onnx.string>>
  %1 = "onnx.Constant"() <{value = #onnx.strings<["one"] : tensor<!onnx.string>>}> : () -> tensor<!onnx.string>
  // CHECK: #onnx.raw<"0x2103" : tensor<3xi4>>
  %2 = "onnx.Constant"() <{value = #onnx.raw<"0x2103" : tensor<3xi4>>}> : () -> tensor<3xi4>
  // CHECK: #onnx.raw<"0x" : tensor<0xf8E4M3FN>>
  %3 = "onnx.Constant"() <{value = #onnx.raw<"0x" : tensor<0xf8E4M3FN>>}> : () -> tensor<0xf8E4M3FN>
  // CHECK: #onnx.raw<"0x0000803f00000040" : tensor<complex<f32>>>
  %4 = "onnx.Constant"() <{value = #onnx.raw<"0x0000803f00000040" : tensor<complex<f32>>>}> : () -> tensor<complex<f32>>
  func.return
}
