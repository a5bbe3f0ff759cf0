// RUN: autodeploy-opt %s --allow-unregistered-dialect | filecheck %s
// RUN: autodeploy-opt %s --allow-unregistered-dialect --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: not autodeploy-opt %s --allow-unregistered-dialect --no-implicit-module 2>&1 >/dev/null | filecheck %s --check-prefix=MODULE

"test.op"() {name = "a"} : () -> ()

// CHECK:        builtin.module {
// CHECK-NEXT:     "test.op"() {name = "a"} : () -> ()
// GENERIC:      "builtin.module"() ({
// MODULE:       error: builtin.module operation expected
