// RUN: autodeploy-opt %s --round-factors | filecheck %s

// Values between kernels are stored as bfloat16, and all readers read these.

module attributes {autodeploy.machine = #machine.description<"x86-64-zen4">} {

func.func @chain(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = nn.constant #nn.dense<[4.0, -2.0, 1.0, 0.5] : tensor<2x2xf32>>
  %v = nn.constant #nn.dense<[1.0, 2.0, 3.0, 1.00390625] : tensor<2x2xf32>>
  %a = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<4x2xf32>) -> tensor<2x4x1xf32> {
  ^bb0(%p: tensor<4x2xf32>):
    %r = nn.relu %p : (tensor<4x2xf32>) -> tensor<4x2xf32>
    %s = nn.reshape %r : (tensor<4x2xf32>) -> tensor<2x4x1xf32>
    nn.yield %s : tensor<2x4x1xf32>
  }
  %b = nn.reshape %a : (tensor<2x4x1xf32>) -> tensor<4x2xf32>
  %c = nn.kernel(%b, %w, %b) {config = #nn.config<gemm, tile = [2, 2]>} : (tensor<4x2xf32>, tensor<2x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32> {
  ^bb0(%p: tensor<4x2xf32>, %q: tensor<2x2xf32>, %o: tensor<4x2xf32>):
    %m = nn.matmul %p, %q : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    %n = nn.add %m, %o : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
    nn.yield %n : tensor<4x2xf32>
  }
  %d = nn.kernel(%c, %v) {config = #nn.config<gemm>} : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32> {
  ^bb0(%p: tensor<4x2xf32>, %q: tensor<2x2xf32>):
    %m = nn.matmul %p, %q : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
    nn.yield %m : tensor<4x2xf32>
  }
  func.return %d : tensor<4x2xf32>
}

}

// CHECK:      func.func @chain(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
// CHECK-NEXT:   %w = nn.constant #nn.dense<[4.0, -2.0, 1.0, 0.5] : tensor<2x2xf32>>
// CHECK-NEXT:   %v = nn.constant #nn.dense<[1.0, 2.0, 3.0, 1.0039062] : tensor<2x2xf32>>
// CHECK-NEXT:   %a = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<4x2xf32>) -> tensor<2x4x1xbf16> {
// CHECK-NEXT:   ^bb0(%p: tensor<4x2xf32>):
// CHECK-NEXT:     %r = nn.relu %p : (tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:     %s = nn.reshape %r : (tensor<4x2xf32>) -> tensor<2x4x1xf32>
// CHECK-NEXT:     %0 = nn.cast %s : (tensor<2x4x1xf32>) -> tensor<2x4x1xbf16>
// CHECK-NEXT:     nn.yield %0 : tensor<2x4x1xbf16>
// CHECK-NEXT:   }
// CHECK-NEXT:   %b = nn.reshape %a : (tensor<2x4x1xbf16>) -> tensor<4x2xbf16>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<"0x804000c0803f003f" : tensor<2x2xbf16>>
// CHECK-NEXT:   %c = nn.kernel(%b, %0, %b) : (tensor<4x2xbf16>, tensor<2x2xbf16>, tensor<4x2xbf16>) -> tensor<4x2xbf16> {
// CHECK-NEXT:   ^bb0(%p: tensor<4x2xbf16>, %q: tensor<2x2xbf16>, %o: tensor<4x2xbf16>):
// CHECK-NEXT:     %1 = nn.cast %o : (tensor<4x2xbf16>) -> tensor<4x2xf32>
// CHECK-NEXT:     %m = nn.matmul %p, %q {accumulator = f32} : (tensor<4x2xbf16>, tensor<2x2xbf16>) -> tensor<4x2xf32>
// CHECK-NEXT:     %n = nn.add %m, %1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT:     %2 = nn.cast %n : (tensor<4x2xf32>) -> tensor<4x2xbf16>
// CHECK-NEXT:     nn.yield %2 : tensor<4x2xbf16>
// CHECK-NEXT:   }
// CHECK-NEXT:   %1 = nn.constant #nn.dense<"0x803f00404040803f" : tensor<2x2xbf16>>
// CHECK-NEXT:   %d = nn.kernel(%c, %1) : (tensor<4x2xbf16>, tensor<2x2xbf16>) -> tensor<4x2xf32> {
// CHECK-NEXT:   ^bb0(%p: tensor<4x2xbf16>, %q: tensor<2x2xbf16>):
// CHECK-NEXT:     %m = nn.matmul %p, %q {accumulator = f32} : (tensor<4x2xbf16>, tensor<2x2xbf16>) -> tensor<4x2xf32>
// CHECK-NEXT:     nn.yield %m : tensor<4x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %d : tensor<4x2xf32>
// CHECK-NEXT: }
