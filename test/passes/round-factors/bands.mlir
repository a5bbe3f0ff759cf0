// RUN: autodeploy-opt %s --round-factors | filecheck %s

// In row bands, an image is stored as bfloat16 if the next anchor sums its channels, if these are whole dots.
// The config keeps its bands alone.

module attributes {autodeploy.machine = #machine.description<"x86-64-zen4">} {

func.func @chain(%x: tensor<1x4x4x2xf32>, %v: tensor<3x3x1x2xf32>) -> tensor<1x4x4x1xf32> {
  %w = nn.constant #nn.dense<[4.0, -2.0, 1.0, 0.5] : tensor<1x1x2x2xf32>>
  %t = nn.constant #nn.dense<[1.0, 2.0, 0.5, 4.0, -1.0, 3.0] : tensor<1x1x2x3xf32>>
  %s = nn.constant #nn.dense<[1.0, 2.0, 0.5] : tensor<1x1x3x1xf32>>
  %y = nn.kernel(%x, %w, %v, %t, %s) {config = #nn.config<row_bands, bands = [3, 3, 1, 1, 1], strip = [4]>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>, tensor<3x3x1x2xf32>, tensor<1x1x2x3xf32>, tensor<1x1x3x1xf32>) -> tensor<1x4x4x1xf32> {
  ^bb0(%p: tensor<1x4x4x2xf32>, %q: tensor<1x1x2x2xf32>, %r: tensor<3x3x1x2xf32>, %o: tensor<1x1x2x3xf32>, %n: tensor<1x1x3x1xf32>):
    %a = nn.conv %p, %q {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x4x4x2xf32>
    %b = nn.conv %a, %r {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<3x3x1x2xf32>) -> tensor<1x4x4x2xf32>
    %c = nn.conv %b, %o {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x4x4x3xf32>
    %d = nn.conv %c, %n {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x3xf32>, tensor<1x1x3x1xf32>) -> tensor<1x4x4x1xf32>
    nn.yield %d : tensor<1x4x4x1xf32>
  }
  func.return %y : tensor<1x4x4x1xf32>
}

}

// CHECK:      func.func @chain(%x: tensor<1x4x4x2xf32>, %v: tensor<3x3x1x2xf32>) -> tensor<1x4x4x1xf32> {
// CHECK-NEXT:   %w = nn.constant #nn.dense<[4.0, -2.0, 1.0, 0.5] : tensor<1x1x2x2xf32>>
// CHECK-NEXT:   %t = nn.constant #nn.dense<[1.0, 2.0, 0.5, 4.0, -1.0, 3.0] : tensor<1x1x2x3xf32>>
// CHECK-NEXT:   %s = nn.constant #nn.dense<[1.0, 2.0, 0.5] : tensor<1x1x3x1xf32>>
// CHECK-NEXT:   %0 = nn.constant #nn.dense<"0x804000c0803f003f" : tensor<1x1x2x2xbf16>>
// CHECK-NEXT:   %1 = nn.constant #nn.dense<"0x803f0040003f804080bf4040" : tensor<1x1x2x3xbf16>>
// CHECK-NEXT:   %2 = nn.kernel(%x) : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xbf16> {
// CHECK-NEXT:   ^bb0(%x_1: tensor<1x4x4x2xf32>):
// CHECK-NEXT:     %3 = nn.cast %x_1 : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xbf16>
// CHECK-NEXT:     nn.yield %3 : tensor<1x4x4x2xbf16>
// CHECK-NEXT:   }
// CHECK-NEXT:   %y = nn.kernel(%2, %0, %v, %1, %s) {config = #nn.config<row_bands, bands = [3, 3, 1, 1, 1]>} : (tensor<1x4x4x2xbf16>, tensor<1x1x2x2xbf16>, tensor<3x3x1x2xf32>, tensor<1x1x2x3xbf16>, tensor<1x1x3x1xf32>) -> tensor<1x4x4x1xf32> {
// CHECK-NEXT:   ^bb0(%p: tensor<1x4x4x2xbf16>, %q: tensor<1x1x2x2xbf16>, %r: tensor<3x3x1x2xf32>, %o: tensor<1x1x2x3xbf16>, %n: tensor<1x1x3x1xf32>):
// CHECK-NEXT:     %a = nn.conv %p, %q {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = f32} : (tensor<1x4x4x2xbf16>, tensor<1x1x2x2xbf16>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT:     %b = nn.conv %a, %r {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x2xf32>, tensor<3x3x1x2xf32>) -> tensor<1x4x4x2xf32>
// CHECK-NEXT:     %3 = nn.cast %b : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xbf16>
// CHECK-NEXT:     %c = nn.conv %3, %o {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = f32} : (tensor<1x4x4x2xbf16>, tensor<1x1x2x3xbf16>) -> tensor<1x4x4x3xf32>
// CHECK-NEXT:     %d = nn.conv %c, %n {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x4x4x3xf32>, tensor<1x1x3x1xf32>) -> tensor<1x4x4x1xf32>
// CHECK-NEXT:     nn.yield %d : tensor<1x4x4x1xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   func.return %y : tensor<1x4x4x1xf32>
// CHECK-NEXT: }
