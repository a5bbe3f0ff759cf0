// RUN: autodeploy-opt %s --cse --dce --print-ir-before-all 2>&1 >/dev/null | filecheck %s --check-prefix=BEFORE
// RUN: autodeploy-opt %s --cse --dce --print-ir-after-all 2>&1 >/dev/null | filecheck %s --check-prefix=AFTER
// RUN: autodeploy-opt %s --cse --dce --print-ir-after=dce --print-ir-before=cse 2>&1 >/dev/null | filecheck %s --check-prefix=ONE
// RUN: autodeploy-opt %s --cse --print-ir-after-all 2>/dev/null | filecheck %s --check-prefix=STDOUT

func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32
  func.return
}

// BEFORE:       // -----// IR Dump Before CommonSubexpressionElimination (cse) //----- //
// BEFORE-NEXT:  builtin.module {
// BEFORE:         arith.addi
// BEFORE:       // -----// IR Dump Before DeadCodeElimination (dce) //----- //
// BEFORE-NOT:   IR Dump

// AFTER:        // -----// IR Dump After CommonSubexpressionElimination (cse) //----- //
// AFTER-NEXT:   builtin.module {
// AFTER:        // -----// IR Dump After DeadCodeElimination (dce) //----- //
// AFTER-NEXT:   builtin.module {
// AFTER-NOT:    arith.addi

// ONE:          IR Dump Before CommonSubexpressionElimination (cse)
// ONE-NOT:      IR Dump {{.*}} (cse)
// ONE:          IR Dump After DeadCodeElimination (dce)

// STDOUT-NOT:   IR Dump
// STDOUT:       builtin.module
