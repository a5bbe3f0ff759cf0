// RUN: autodeploy-opt %s --cse --canonicalize --cse --time-passes 2>&1 >/dev/null | filecheck %s
// RUN: autodeploy-opt %s --cse --time-passes 2>/dev/null | filecheck %s --check-prefix=STDOUT

func.func @f(%a: i32) {
  func.return
}

// CHECK:       ===---
// CHECK-NEXT:  ... Execution time report ...
// CHECK-NEXT:  ===---
// CHECK-NEXT:  Total Execution Time: {{[0-9.]+}} seconds
// CHECK:       ----Wall Time----  ----Name----
// CHECK-NEXT:  {{[0-9.]+}} ({{ *[0-9.]+}}%)  Parser
// CHECK-NEXT:  {{[0-9.]+}} ({{ *[0-9.]+}}%)  cse
// CHECK-NEXT:  {{[0-9.]+}} ({{ *[0-9.]+}}%)  canonicalize
// CHECK-NEXT:  {{[0-9.]+}} ({{ *[0-9.]+}}%)  cse
// CHECK-NEXT:  {{[0-9.]+}} ({{ *[0-9.]+}}%)  Output
// CHECK-NEXT:  {{[0-9.]+}} ({{ *[0-9.]+}}%)  Verifier
// CHECK-NEXT:  {{[0-9.]+}} ({{ *[0-9.]+}}%)  Rest
// CHECK-NEXT:  {{[0-9.]+}} (100.0%)  Total

// STDOUT-NOT:  Wall Time
// STDOUT:      builtin.module
