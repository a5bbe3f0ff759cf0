// RUN: autodeploy-opt %s --widen-codes | filecheck %s

// Codes that a product reads are stored in 16 bits, and other readers cast them back.

module attributes {autodeploy.machine = #machine.description<"x86-64-avx2">} {

func.func @chain(%x: tensor<4x2xf32>) -> (tensor<4x2xi32>, tensor<4x2xui8>) {
  %w = nn.constant #nn.dense<[4, -2, 1, 5] : tensor<2x2xi8>>
  %s = nn.constant #nn.dense<0.5 : tensor<f32>>
  %z = nn.constant #nn.dense<3 : tensor<ui8>>
  %a = nn.kernel(%x, %s, %z) : (tensor<4x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x4x1xui8> {
  ^bb0(%p: tensor<4x2xf32>, %q: tensor<f32>, %r: tensor<ui8>):
    %c = nn.quantize %p, %q, %r : (tensor<4x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x2xui8>
    %d = nn.reshape %c : (tensor<4x2xui8>) -> tensor<2x4x1xui8>
    nn.yield %d : tensor<2x4x1xui8>
  }
  %b = nn.reshape %a : (tensor<2x4x1xui8>) -> tensor<4x2xui8>
  %c = nn.kernel(%b, %w) : (tensor<4x2xui8>, tensor<2x2xi8>) -> tensor<4x2xi32> {
  ^bb0(%p: tensor<4x2xui8>, %q: tensor<2x2xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<4x2xui8>, tensor<2x2xi8>) -> tensor<4x2xi32>
    nn.yield %m : tensor<4x2xi32>
  }
  %d = nn.kernel(%b) : (tensor<4x2xui8>) -> tensor<4x2xui8> {
  ^bb0(%p: tensor<4x2xui8>):
    %m = nn.max %p, %p : (tensor<4x2xui8>, tensor<4x2xui8>) -> tensor<4x2xui8>
    nn.yield %m : tensor<4x2xui8>
  }
  func.return %c, %d : tensor<4x2xi32>, tensor<4x2xui8>
}

}

// CHECK:      func.func @chain(%x: tensor<4x2xf32>) -> (tensor<4x2xi32>, tensor<4x2xui8>) {
// CHECK-NEXT:   %w = nn.constant #nn.dense<[4, -2, 1, 5] : tensor<2x2xi8>>
// CHECK-NEXT:   %s = nn.constant #nn.dense<0.5 : tensor<f32>>
// CHECK-NEXT:   %z = nn.constant #nn.dense<3 : tensor<ui8>>
// CHECK-NEXT:   %a = nn.kernel(%x, %s, %z) : (tensor<4x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x4x1xi16> {
// CHECK-NEXT:   ^bb0(%p: tensor<4x2xf32>, %q: tensor<f32>, %r: tensor<ui8>):
// CHECK-NEXT:     %c = nn.quantize %p, %q, %r : (tensor<4x2xf32>, tensor<f32>, tensor<ui8>) -> tensor<4x2xui8>
// CHECK-NEXT:     %d = nn.reshape %c : (tensor<4x2xui8>) -> tensor<2x4x1xui8>
// CHECK-NEXT:     %0 = nn.cast %d : (tensor<2x4x1xui8>) -> tensor<2x4x1xi16>
// CHECK-NEXT:     nn.yield %0 : tensor<2x4x1xi16>
// CHECK-NEXT:   }
// CHECK-NEXT:   %b = nn.reshape %a : (tensor<2x4x1xi16>) -> tensor<4x2xi16>
// CHECK-NEXT:   %c = nn.kernel(%b, %w) : (tensor<4x2xi16>, tensor<2x2xi8>) -> tensor<4x2xi32> {
// CHECK-NEXT:   ^bb0(%p: tensor<4x2xi16>, %q: tensor<2x2xi8>):
// CHECK-NEXT:     %m = nn.matmul %p, %q {accumulator = i32} : (tensor<4x2xi16>, tensor<2x2xi8>) -> tensor<4x2xi32>
// CHECK-NEXT:     nn.yield %m : tensor<4x2xi32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %d = nn.kernel(%b) : (tensor<4x2xi16>) -> tensor<4x2xui8> {
// CHECK-NEXT:   ^bb0(%p: tensor<4x2xi16>):
// CHECK-NEXT:     %0 = nn.cast %p : (tensor<4x2xi16>) -> tensor<4x2xui8>
// CHECK-NEXT:     %m = nn.max %0, %0 : (tensor<4x2xui8>, tensor<4x2xui8>) -> tensor<4x2xui8>
// CHECK-NEXT:     nn.yield %m : tensor<4x2xui8>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %c, %d : tensor<4x2xi32>, tensor<4x2xui8>
// CHECK-NEXT: }
