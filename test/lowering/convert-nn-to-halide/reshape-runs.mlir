// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s

// Axes that no common boundary parts are one number: those of 4 x 6 and 6 x 4. Axes of extent 1 come
// and go, and rows and images keep their places.

func.func @f(%x: tensor<5x1x4x6x7xf32>) -> tensor<1x5x6x4x1x7xf32> {
  %y = nn.kernel(%x) : (tensor<5x1x4x6x7xf32>) -> tensor<1x5x6x4x1x7xf32> {
  ^bb0(%x_: tensor<5x1x4x6x7xf32>):
    %v = nn.reshape %x_ : (tensor<5x1x4x6x7xf32>) -> tensor<1x5x6x4x1x7xf32>
    nn.yield %v : tensor<1x5x6x4x1x7xf32>
  }
  func.return %y : tensor<1x5x6x4x1x7xf32>
}

// CHECK:      %0 = halide.const 4 : i32
// CHECK-NEXT: %1 = halide.mul %w, %0 : i32
// CHECK-NEXT: %2 = halide.add %1, %z : i32
// CHECK-NEXT: %3 = halide.const 6 : i32
// CHECK-NEXT: %4 = halide.mod %2, %3 : i32
// CHECK-NEXT: %5 = halide.div %2, %3 : i32
// CHECK-NEXT: %6 = halide.const 0 : i32
// CHECK-NEXT: %7 = halide.load %in0[%x, %4, %5, %6, %u] : !halide.buffer<f32, [7, 6, 4, 1, 5]> to f32
// CHECK-NEXT: halide.yield %7 : f32
