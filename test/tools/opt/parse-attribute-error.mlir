// RUN: not autodeploy-opt %s 2>&1 >/dev/null | filecheck %s

// An attribute that does not verify is reported at the operation that holds it.

func.func @f() {
  %0 = nn.constant #nn.dense<"0x00" : tensor<2xf32>>
  func.return
}

// CHECK:      parse-attribute-error.mlir:6:3: error: nn.dense of type tensor<2xf32> takes 8 bytes
// CHECK-NEXT: %0 = nn.constant
