// RUN: not autodeploy-opt %s --split-input-file 2>/dev/null | filecheck %s
// RUN: not autodeploy-opt %s --split-input-file 2>&1 >/dev/null | filecheck %s --check-prefix=ERROR

// An error in one part leaves the others, and the line is that of the file.

func.func @f(%a: i32) -> i64 {
  func.return %a : i32
}

// -----

func.func @g() {
  func.return
}

// -----

func.func @h() {
  arith.nothing
}

// CHECK-NOT:  @f
// CHECK:      @g
// CHECK-NOT:  @h

// ERROR:      split-error.mlir:7:3: error: 'func.return' op
// ERROR:      split-error.mlir:19:3: error: Operation arith.nothing is not registered
