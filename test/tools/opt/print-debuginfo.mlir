// RUN: autodeploy-opt %s --print-debuginfo | filecheck %s

func.func @f() {
  "func.return"() : () -> () loc("Conv_3")
}

// CHECK: func.return loc("Conv_3")
