// RUN: autodeploy-opt %s --narrow-weights | filecheck %s
// RUN: autodeploy-opt %s --narrow-weights="element=int8" | filecheck %s --check-prefix=CODES
// RUN: autodeploy-opt %s --narrow-weights="element=float16" | filecheck %s --check-prefix=HALVES
// RUN: autodeploy-opt %s --set-machine=machine=wasm32-simd128:device=webgpu --narrow-weights="element=float16" | filecheck %s

// Kernels of a device convert floats of 16 bits in several steps, so they have such weights only if these are asked for.
// A page has no type for them.

builtin.module attributes {autodeploy.machine = #machine.description<"x86-64-avx2", device = "opencl">, nn.stored = "float16"} {
  func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
    %w = nn.constant #nn.dense<[4.0, 2.0, 1.0, 0.5] : tensor<2x2xf32>>
    %y = nn.kernel(%x, %w) {config = #nn.config<device_tile>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> {
    ^bb0(%p: tensor<2x2xf32>, %q: tensor<2x2xf32>):
      %m = nn.matmul %p, %q : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      nn.yield %m : tensor<2x2xf32>
    }
    func.return %y : tensor<2x2xf32>
  }
}

// CHECK:     nn.kernel(%x, %w) {config = #nn.config<device_tile>} : (tensor<2x2xf32>, tensor<2x2xf32>)
// CHECK-NOT: xf16
// CODES:     nn.kernel(%x, {{.*}}) {config = #nn.config<device_tile>} : (tensor<2x2xf32>, tensor<2x2xi8>
// HALVES:    nn.kernel(%x, {{.*}}) {config = #nn.config<device_tile>} : (tensor<2x2xf32>, tensor<2x2xf16>)
