// RUN: not autodeploy-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s

%0 = "nosuch.op"() : () -> i32

// CHECK:      unknown-operation.mlir:3:7: error: Operation nosuch.op is not registered
// CHECK-NEXT: %0 = "nosuch.op"
// CHECK-NEXT:       ^^^^^^^^^

// -----

func.func @f(%a: i32) {
  %0 = arith.addii %a, %a : i32
  func.return
}

// CHECK:      :12:8: error: Operation arith.addii is not registered; did you mean 'arith.addi'?
// CHECK-NEXT:   %0 = arith.addii
// CHECK-NEXT:        ^^^^^^^^^^^

// -----

func.func @f(%a: i32) {
  %0 = aritth.addi %a, %a : i32
  func.return
}

// CHECK:      error: Operation aritth.addi is not registered; did you mean 'arith'?

// -----

func.func @f(%a: !nn.tensors) {
  func.return
}

// CHECK:      error: 'nn.tensors' is not registered
