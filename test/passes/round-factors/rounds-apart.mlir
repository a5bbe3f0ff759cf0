// RUN: autodeploy-opt %s --round-factors | filecheck %s

// An input of the program, and a value that it returns, keep 32 bits: a kernel of its own rounds them.

module attributes {autodeploy.machine = #machine.description<"x86-64-zen4">} {

func.func @ends(%x: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = nn.constant #nn.dense<[4.0, -2.0, 1.0, 0.5] : tensor<1x1x2x2xf32>>
  %v = nn.constant #nn.dense<[4.0, -2.0, 1.0, 2.5] : tensor<1x1x2x2xf32>>
  %a = nn.kernel(%x, %w) {config = #nn.config<direct_conv>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32> {
  ^bb0(%p: tensor<1x4x4x2xf32>, %q: tensor<1x1x2x2xf32>):
    %m = nn.conv %p, %q {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32>
    nn.yield %m : tensor<1x4x4x2xf32>
  }
  %b = nn.kernel(%a, %v) {config = #nn.config<direct_conv>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32> {
  ^bb0(%p: tensor<1x4x4x2xf32>, %q: tensor<1x1x2x2xf32>):
    %m = nn.conv %p, %q {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32>
    nn.yield %m : tensor<1x4x4x2xf32>
  }
  func.return %a, %b : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}

}

// CHECK:      func.func @ends(%x: tensor<1x4x4x2xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
// CHECK-NEXT:   %w = nn.constant #nn.dense<[4.0, -2.0, 1.0, 0.5] : tensor<1x1x2x2xf32>>
// CHECK-NEXT:   %v = nn.constant #nn.dense<[4.0, -2.0, 1.0, 2.5] : tensor<1x1x2x2xf32>>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<"0x804000c0803f003f" : tensor<1x1x2x2xbf16>>
// CHECK-NEXT:   %1 = nn.kernel(%x) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xbf16> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x4x4x2xf32>):
// CHECK-NEXT:     %2 = nn.cast %x_1 : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xbf16>
// CHECK-NEXT:     nn.yield %2 : tensor<1x4x4x2xbf16>
// CHECK-NEXT:   }
// CHECK-NEXT:   %a = nn.kernel(%1, %0) {config = #nn.config<direct_conv>} : (tensor<1x4x4x2xbf16>, tensor<1x1x2x2xbf16>) -> tensor<1x4x4x2xf32> {
// CHECK-NEXT:   ^bb0(%p: tensor<1x4x4x2xbf16>, %q: tensor<1x1x2x2xbf16>):
// CHECK-NEXT:     %m = nn.conv %p, %q {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = f32} : (tensor<1x4x4x2xbf16>, tensor<1x1x2x2xbf16>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT:     nn.yield %m : tensor<1x4x4x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   %2 = nn.constant #nn.dense<"0x804000c0803f2040" : tensor<1x1x2x2xbf16>>
// CHECK-NEXT:   %3 = nn.kernel(%a) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xbf16> {
// CHECK-NEXT:   ^bb0(%a_1: tensor<1x4x4x2xf32>):
// CHECK-NEXT:     %4 = nn.cast %a_1 : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xbf16>
// CHECK-NEXT:     nn.yield %4 : tensor<1x4x4x2xbf16>
// CHECK-NEXT:   }
// CHECK-NEXT:   %b = nn.kernel(%3, %2) {config = #nn.config<direct_conv>} : (tensor<1x4x4x2xbf16>, tensor<1x1x2x2xbf16>) -> tensor<1x4x4x2xf32> {
// CHECK-NEXT:   ^bb0(%p: tensor<1x4x4x2xbf16>, %q: tensor<1x1x2x2xbf16>):
// CHECK-NEXT:     %m = nn.conv %p, %q {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = f32} : (tensor<1x4x4x2xbf16>, tensor<1x1x2x2xbf16>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT:     nn.yield %m : tensor<1x4x4x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %a, %b : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
// CHECK-NEXT: }
