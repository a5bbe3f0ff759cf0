// RUN: autodeploy-opt %s --disable-verify --cse | filecheck %s

func.func @f(%a: i32) -> i64 {
  func.return %a : i32
}

// CHECK: func.return %a : i32
