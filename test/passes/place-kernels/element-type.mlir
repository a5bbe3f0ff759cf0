// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --place-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=wasm32-simd128:device=webgpu --place-kernels | filecheck %s --check-prefix=PAGE

// The device has no floats of 64 bits, as operands or between them. It holds floats of 16 bits as integers, for which
// pages have no type.

func.func @f(%x: tensor<4x16xf32>, %h: tensor<2x8xbf16>, %g: tensor<8x4xbf16>) -> (tensor<4x16xf32>, tensor<2x4xbf16>) {
  %y = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %w = nn.cast %i : (tensor<4x16xf32>) -> tensor<4x16xf64>
    %e = nn.exp %w : (tensor<4x16xf64>) -> tensor<4x16xf64>
    %r = nn.cast %e : (tensor<4x16xf64>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %z = nn.kernel(%h, %g) : (tensor<2x8xbf16>, tensor<8x4xbf16>) -> tensor<2x4xbf16> {
  ^bb0(%i: tensor<2x8xbf16>, %j: tensor<8x4xbf16>):
    %r = nn.matmul %i, %j : (tensor<2x8xbf16>, tensor<8x4xbf16>) -> tensor<2x4xbf16>
    nn.yield %r : tensor<2x4xbf16>
  }
  func.return %y, %z : tensor<4x16xf32>, tensor<2x4xbf16>
}

// CHECK: %y = nn.kernel(%x) {halide.on_host = "the device has no f64"} :
// CHECK: %z = nn.kernel(%h, %g) {config = #nn.config<device_tile>} :
// PAGE: %y = nn.kernel(%x) {halide.on_host = "the device has no f64"} :
// PAGE:  %z = nn.kernel(%h, %g) {halide.on_host = "the device has no bf16"} :
