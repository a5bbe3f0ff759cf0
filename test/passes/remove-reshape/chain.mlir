// RUN: autodeploy-opt %s --remove-reshape | filecheck %s

// Reshapes of reshapes go one after the other; a shared constant stays for its other user.

func.func @chain() -> tensor<1x4xi64> {
  %c = nn.constant #nn.dense<[1, 2, 3, 4] : tensor<4xi64>>
  %r = nn.reshape %c : (tensor<4xi64>) -> tensor<2x2xi64>
  %s = nn.reshape %r : (tensor<2x2xi64>) -> tensor<1x4xi64>
  func.return %s : tensor<1x4xi64>
}

func.func @shared() -> (tensor<2x2xi64>, tensor<4xi64>) {
  %c = nn.constant #nn.dense<[1, 2, 3, 4] : tensor<4xi64>>
  %r = nn.reshape %c : (tensor<4xi64>) -> tensor<2x2xi64>
  func.return %r, %c : tensor<2x2xi64>, tensor<4xi64>
}

// CHECK:      func.func @chain() -> tensor<1x4xi64> {
// CHECK-NEXT:   %s = nn.constant #nn.dense<[1, 2, 3, 4] : tensor<1x4xi64>>
// CHECK-NEXT:   func.return %s : tensor<1x4xi64>
// CHECK-NEXT: }

// CHECK:      func.func @shared() -> (tensor<2x2xi64>, tensor<4xi64>) {
// CHECK-NEXT:   %c = nn.constant #nn.dense<[1, 2, 3, 4] : tensor<4xi64>>
// CHECK-NEXT:   %r = nn.constant #nn.dense<[1, 2, 3, 4] : tensor<2x2xi64>>
// CHECK-NEXT:   func.return %r, %c : tensor<2x2xi64>, tensor<4xi64>
// CHECK-NEXT: }
