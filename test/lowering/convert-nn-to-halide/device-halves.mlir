// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels --configure-kernels --convert-nn-to-halide | filecheck %s
// RUN: autodeploy-opt %s --convert-nn-to-halide | filecheck %s --check-prefix=HOST

// On the processor sums are hidden from LLVM before they are rounded: a zero that a call brings is added to their bits.
// A kernel of a device is given no number for that.

// CHECK-NOT: halide.extent
// CHECK: config<device_tile
// HOST:      halide.extent %in0 1

func.func @main(%x: tensor<3x8xf16>, %w: tensor<8x4xf16>) -> tensor<3x4xf16> {
  %y = nn.kernel(%x, %w) : (tensor<3x8xf16>, tensor<8x4xf16>) -> tensor<3x4xf16> {
  ^bb0(%i: tensor<3x8xf16>, %j: tensor<8x4xf16>):
    %r = nn.matmul %i, %j : (tensor<3x8xf16>, tensor<8x4xf16>) -> tensor<3x4xf16>
    nn.yield %r : tensor<3x4xf16>
  }
  func.return %y : tensor<3x4xf16>
}
