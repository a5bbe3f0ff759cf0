// RUN: not autodeploy-opt %s --cse --dce --infer-onnx-shapes --canonicalize --reproducer=%t.mlir 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: filecheck %s --check-prefix=FILE --input-file %t.mlir
// RUN: not autodeploy-opt %t.mlir --run-reproducer 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: autodeploy-opt %t.mlir | filecheck %s --check-prefix=BEFORE
// RUN: not autodeploy-opt %s --run-reproducer 2>&1 | filecheck %s --check-prefix=OTHER

// The file has the pass that fails, and the IR that the pass before has left.

builtin.module attributes {onnx.opset = {ai.onnx = -1 : i64}} {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %y = "onnx.Relu"(%x) : (tensor<2xf32>) -> tensor<2xf32>
    %z = arith.constant 1 : i32
    func.return %y : tensor<2xf32>
  }
}

// ERROR:       error: {{.*}}opset
// FILE:        // configuration: --pass-pipeline='builtin.module(infer-onnx-shapes)'
// FILE-NEXT:   builtin.module attributes {onnx.opset = {ai.onnx = -1 : i64}}
// FILE-NOT:    arith.constant
// BEFORE:      func.func @main
// OTHER:       is no reproducer: its first line does not begin with '// configuration: --pass-pipeline='
