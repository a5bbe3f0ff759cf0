// RUN: autodeploy-opt %s --split-input-file --verify-diagnostics

// Positions and names of an onnx.custom that do not fit its values.

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{absent_operands of onnx.custom must ascend and be among the positions [custom_c2]}}
  "onnx.custom"(%x) <{absent_operands = array<i64: 2>, domain = "d", op_type = "Op", settings = {}}> : (tensor<2xf32>) -> ()
  func.return
}

// -----

func.func @f(%x: tensor<2xf32>) {
  // expected-error@+1 {{absent_operands of onnx.custom must ascend and be among the positions [custom_c2]}}
  "onnx.custom"(%x) <{absent_operands = array<i64: 1, 0>, domain = "d", op_type = "Op", settings = {}}> : (tensor<2xf32>) -> ()
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{absent_results of onnx.custom must ascend and be among the positions [custom_c2]}}
  %0 = "onnx.custom"() <{absent_results = array<i64: -1>, domain = "d", op_type = "Op", settings = {}}> : () -> tensor<2xf32>
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{onnx.custom has 1 subgraphs but 0 names for them [custom_c1]}}
  "onnx.custom"() <{domain = "d", op_type = "Op", settings = {}}> ({
    "onnx.yield"() : () -> ()
  }) : () -> ()
  func.return
}

// -----

func.func @f() {
  // expected-error@+1 {{property 'op_type' expected}}
  "onnx.custom"() <{domain = "d", settings = {}}> : () -> ()
  func.return
}
