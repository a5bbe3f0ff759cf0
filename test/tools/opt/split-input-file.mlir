// RUN: autodeploy-opt %s --split-input-file --cse | filecheck %s
// RUN: not autodeploy-opt %s 2>&1 | filecheck %s --check-prefix=WHOLE

// Each part is a module of its own; a separator is a whole line, not a part of one.

func.func @f() {
  func.return  // -----
}

// -----// IR Dump Before CSE (cse) //----- //

func.func @g() {
  func.return
}

// -----

func.func @f() {
  func.return
}

// CHECK:       builtin.module {
// CHECK-NEXT:    func.func @f() {
// CHECK:         func.func @g() {
// CHECK:       // -----
// CHECK-NEXT:  builtin.module {
// CHECK-NEXT:    func.func @f() {
// CHECK-NOT:   // -----

// WHOLE:       autodeploy-opt: error: 'builtin.module' op Redefinition of symbol "f"
