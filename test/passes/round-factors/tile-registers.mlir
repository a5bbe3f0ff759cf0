// RUN: autodeploy-opt %s --round-factors | filecheck %s

// Tile registers take stored factors of 16 rows or more; other products stay as they are.

module attributes {autodeploy.machine = #machine.description<"x86-64-sapphirerapids">} {

func.func @rows(%x: tensor<16x16xf32>) -> (tensor<16x2xf32>, tensor<16x2xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<16x2xf32>>
  %a = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<16x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%p: tensor<16x16xf32>):
    %r = nn.relu %p : (tensor<16x16xf32>) -> tensor<16x16xf32>
    nn.yield %r : tensor<16x16xf32>
  }
  %b = nn.kernel(%a, %w) {config = #nn.config<gemm>} : (tensor<16x16xf32>, tensor<16x2xf32>) -> tensor<16x2xf32> {
  ^bb0(%p: tensor<16x16xf32>, %q: tensor<16x2xf32>):
    %m = nn.matmul %p, %q : (tensor<16x16xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    nn.yield %m : tensor<16x2xf32>
  }
  %c = nn.kernel(%x, %w) {config = #nn.config<gemm>} : (tensor<16x16xf32>, tensor<16x2xf32>) -> tensor<16x2xf32> {
  ^bb0(%p: tensor<16x16xf32>, %q: tensor<16x2xf32>):
    %m = nn.matmul %p, %q : (tensor<16x16xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
    nn.yield %m : tensor<16x2xf32>
  }
  func.return %b, %c : tensor<16x2xf32>, tensor<16x2xf32>
}

}

// CHECK:      func.func @rows(%x: tensor<16x16xf32>) -> (tensor<16x2xf32>, tensor<16x2xf32>) {
// CHECK-NEXT:   %w = nn.constant #nn.dense<1.0 : tensor<16x2xf32>>
// CHECK-NEXT:   %a = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<16x16xf32>) -> tensor<16x16xbf16> {
// CHECK-NEXT:   ^bb0(%p: tensor<16x16xf32>):
// CHECK-NEXT:     %r = nn.relu %p : (tensor<16x16xf32>) -> tensor<16x16xf32>
// CHECK-NEXT:     %0 = nn.cast %r : (tensor<16x16xf32>) -> tensor<16x16xbf16>
// CHECK-NEXT:     nn.yield %0 : tensor<16x16xbf16>
// CHECK-NEXT:   }
// CHECK-NEXT:   %0 = nn.constant #nn.dense<"0x803f" : tensor<16x2xbf16>>
// CHECK-NEXT:   %b = nn.kernel(%a, %0) : (tensor<16x16xbf16>, tensor<16x2xbf16>) -> tensor<16x2xf32> {
// CHECK-NEXT:   ^bb0(%p: tensor<16x16xbf16>, %q: tensor<16x2xbf16>):
// CHECK-NEXT:     %m = nn.matmul %p, %q {accumulator = f32} : (tensor<16x16xbf16>, tensor<16x2xbf16>) -> tensor<16x2xf32>
// CHECK-NEXT:     nn.yield %m : tensor<16x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %c = nn.kernel(%x, %w) {config = #nn.config<gemm>} : (tensor<16x16xf32>, tensor<16x2xf32>) -> tensor<16x2xf32> {
// CHECK-NEXT:   ^bb0(%p: tensor<16x16xf32>, %q: tensor<16x2xf32>):
// CHECK-NEXT:     %m = nn.matmul %p, %q : (tensor<16x16xf32>, tensor<16x2xf32>) -> tensor<16x2xf32>
// CHECK-NEXT:     nn.yield %m : tensor<16x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %b, %c : tensor<16x2xf32>, tensor<16x2xf32>
// CHECK-NEXT: }
