// RUN: autodeploy-opt %s | filecheck %s

// Types that builtin lacks, and builtin ones for ONNX's small elements.

// CHECK-LABEL: func.func private @containers(!onnx.sequence<tensor<*xf32>>, !onnx.optional<!onnx.sequence<tensor<i64>>>, !onnx.map<!onnx.string, tensor<f32>>, !onnx.map<i64, !onnx.unknown>, !onnx.sparse<tensor<9x9xf32>>)
func.func private @containers(!onnx.sequence<tensor<*xf32>>, !onnx.optional<!onnx.sequence<tensor<i64>>>, !onnx.map<!onnx.string, tensor<f32>>, !onnx.map<i64, !onnx.unknown>, !onnx.sparse<tensor<9x9xf32>>) -> ()

// CHECK-LABEL: func.func private @elements(tensor<2x?x!onnx.string>, tensor<2xf8E4M3FN>, tensor<2xf4E2M1FN>, tensor<2xui4>, tensor<2xi2>, tensor<2xcomplex<f64>>)
func.func private @elements(tensor<2x?x!onnx.string>, tensor<2xf8E4M3FN>, tensor<2xf4E2M1FN>, tensor<2xui4>, tensor<2xi2>, tensor<2xcomplex<f64>>) -> ()
