// RUN: autodeploy-opt %s --remove-reshape | filecheck %s

// The data of the constant stays: inline, splat, or by its key in the weight store.

func.func @dense() -> tensor<4xf32> {
  %c = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<2x2xf32>>
  %r = nn.reshape %c : (tensor<2x2xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

func.func @splat() -> tensor<4096xf32> {
  %c = nn.constant #nn.dense<0.5 : tensor<64x64xf32>>
  %r = nn.reshape %c : (tensor<64x64xf32>) -> tensor<4096xf32>
  func.return %r : tensor<4096xf32>
}

func.func @weight() -> tensor<256x10xf32> {
  %c = nn.constant #nn.weight<"5d41402abc4b2a76b9719d911017c592" : tensor<16x4x4x10xf32>>
  %r = nn.reshape %c : (tensor<16x4x4x10xf32>) -> tensor<256x10xf32>
  func.return %r : tensor<256x10xf32>
}

// CHECK:      func.func @dense() -> tensor<4xf32> {
// CHECK-NEXT:   %r = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0] : tensor<4xf32>>
// CHECK-NEXT:   func.return %r : tensor<4xf32>
// CHECK-NEXT: }

// CHECK:      func.func @splat() -> tensor<4096xf32> {
// CHECK-NEXT:   %r = nn.constant #nn.dense<0.5 : tensor<4096xf32>>
// CHECK-NEXT:   func.return %r : tensor<4096xf32>
// CHECK-NEXT: }

// CHECK:      func.func @weight() -> tensor<256x10xf32> {
// CHECK-NEXT:   %r = nn.constant #nn.weight<"5d41402abc4b2a76b9719d911017c592" : tensor<256x10xf32>>
// CHECK-NEXT:   func.return %r : tensor<256x10xf32>
// CHECK-NEXT: }
