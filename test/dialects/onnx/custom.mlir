// RUN: autodeploy-opt %s | filecheck %s

// An operator that no schema describes keeps all that its node says.

// CHECK-LABEL: func.func @custom
func.func @custom(%x: tensor<2xf32>) -> !onnx.unknown {
  // CHECK:      %0 = "onnx.custom"(%x) <{domain = "com.example", op_type = "Magic", settings = {power = 2 : i64}}> : (tensor<2xf32>) -> !onnx.unknown
  %0 = "onnx.custom"(%x) <{domain = "com.example", op_type = "Magic", settings = {power = 2 : i64}}> : (tensor<2xf32>) -> !onnx.unknown
  // CHECK-NEXT: %1 = "onnx.custom"(%x, %0) <{absent_operands = array<i64: 0, 2>, absent_results = array<i64: 0>, domain = "", op_type = "Spell", settings = {}}>
  %1 = "onnx.custom"(%x, %0) <{absent_operands = array<i64: 0, 2>, absent_results = array<i64: 0>, domain = "", op_type = "Spell", settings = {}}> : (tensor<2xf32>, !onnx.unknown) -> !onnx.unknown
  // CHECK-NEXT: "onnx.custom"() <{domain = "d", op_type = "Body", settings = {}, subgraph_names = ["body"]}> ({
  // CHECK-NEXT:   "onnx.yield"(%1) : (!onnx.unknown) -> ()
  // CHECK-NEXT: }) : () -> ()
  "onnx.custom"() <{domain = "d", op_type = "Body", settings = {}, subgraph_names = ["body"]}> ({
    "onnx.yield"(%1) : (!onnx.unknown) -> ()
  }) : () -> ()
  func.return %1 : !onnx.unknown
}
