// RUN: autodeploy-opt %s --set-machine=machine=wasm32-simd128:device=webgpu --place-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=OTHER

// A browser compiles the kernels of a page while its user waits, so they are short: a loop over a window has no parts for
// the border of the image, and the rows of a tile are stored in a loop.

func.func @main(%x: tensor<1x3x8x8xf32>, %w: tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32> {
  %r = nn.kernel(%x, %w) : (tensor<1x3x8x8xf32>, tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32> {
  ^bb0(%x_: tensor<1x3x8x8xf32>, %w_: tensor<3x3x3x16xf32>):
    %v = nn.conv %x_, %w_ {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #nn<layout first_to_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x3x8x8xf32>, tensor<3x3x3x16xf32>) -> tensor<1x8x8x16xf32>
    nn.yield %v : tensor<1x8x8x16xf32>
  }
  func.return %r : tensor<1x8x8x16xf32>
}

// CHECK:      halide.split %out "x" to "xo", "xi" by 8
// CHECK:      halide.vectorize %out "ci"
// CHECK-NOT:  halide.unroll %out
// CHECK:      halide.vectorize %conv "c"
// CHECK-NEXT: halide.unroll %conv "x"
// CHECK-NEXT: halide.reorder %conv ["c", "x", "ci", "kx", "ky", "y", "n"] {stage = 1 : i64}
// CHECK-NEXT: halide.partition %conv "ci" never {stage = 1 : i64}
// CHECK-NEXT: halide.partition %conv "kx" never {stage = 1 : i64}
// CHECK-NEXT: halide.partition %conv "ky" never {stage = 1 : i64}

// OTHER:      halide.unroll %out "xi"
// OTHER-NOT:  halide.partition %conv
