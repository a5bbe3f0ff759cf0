// RUN: not autodeploy-opt %s 2>&1 >/dev/null | filecheck %s

// The operation is named with the ONNX node that it came from.

func.func @f(%a: i32) -> i64 {
  "func.return"(%a) : (i32) -> () loc("Conv_3")
}

// CHECK: operation-context.mlir:6:3: error: 'func.return' op (node 'Conv_3') Expected arguments
