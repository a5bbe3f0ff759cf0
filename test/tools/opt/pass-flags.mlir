// RUN: autodeploy-opt %s --cse -p "canonicalize,dce" --cse --print-ir-after-all 2>&1 >/dev/null | filecheck %s
// RUN: autodeploy-opt --cse %s --passes=canonicalize,dce --print-ir-after-all -pcse 2>&1 >/dev/null | filecheck %s

// Pass flags and -p run in the order of the command line, wherever the input stands.

func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}

// CHECK:      IR Dump After {{.*}} (cse)
// CHECK:      IR Dump After {{.*}} (canonicalize)
// CHECK:      IR Dump After {{.*}} (dce)
// CHECK:      IR Dump After {{.*}} (cse)
// CHECK-NOT:  IR Dump
