// RUN: autodeploy-opt %s --set-machine=machine=wasm32-simd128:device=webgpu --place-kernels | filecheck %s

// In a page, kernels compute with booleans, but no buffer has any; bytes are neither. A kernel takes eight buffers.

func.func @f(%x: tensor<4x16xf32>, %b: tensor<4x16xui8>) -> (tensor<4x16xf32>, tensor<4x16xi1>, tensor<4x16xui8>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) {
  %c = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %l = nn.less %i, %i : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    %r = nn.where %l, %i, %i : (tensor<4x16xi1>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %l = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xi1> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.less %i, %i : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xi1>
    nn.yield %r : tensor<4x16xi1>
  }
  %u = nn.kernel(%b) : (tensor<4x16xui8>) -> tensor<4x16xui8> {
  ^bb0(%i: tensor<4x16xui8>):
    %r = nn.add %i, %i : (tensor<4x16xui8>, tensor<4x16xui8>) -> tensor<4x16xui8>
    nn.yield %r : tensor<4x16xui8>
  }
  %s = nn.kernel(%x, %c, %x, %c, %x, %c, %x) : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>, %j: tensor<4x16xf32>, %k: tensor<4x16xf32>, %m: tensor<4x16xf32>, %n: tensor<4x16xf32>, %o: tensor<4x16xf32>, %p: tensor<4x16xf32>):
    %r = nn.add %i, %p : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %t = nn.kernel(%x, %c, %x, %c, %x, %c, %x, %c) : (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>, %j: tensor<4x16xf32>, %k: tensor<4x16xf32>, %m: tensor<4x16xf32>, %n: tensor<4x16xf32>, %o: tensor<4x16xf32>, %p: tensor<4x16xf32>, %q: tensor<4x16xf32>):
    %r = nn.add %i, %q : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  %v = nn.kernel(%x) : (tensor<4x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%i: tensor<4x16xf32>):
    %r = nn.sin %i : (tensor<4x16xf32>) -> tensor<4x16xf32>
    nn.yield %r : tensor<4x16xf32>
  }
  func.return %c, %l, %u, %s, %t, %v : tensor<4x16xf32>, tensor<4x16xi1>, tensor<4x16xui8>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>
}

// CHECK: %c = nn.kernel(%x) {config = #nn.config<device_plain>} :
// CHECK: %l = nn.kernel(%x) {halide.on_host = "the memory of the device has no i1"} :
// CHECK: %u = nn.kernel(%b) {halide.on_host = "the device has no ui8"} :
// CHECK: %s = nn.kernel({{.*}}) {config = #nn.config<device_plain>} :
// CHECK: %t = nn.kernel({{.*}}) {halide.on_host = "it has 9 operands, a kernel of the device at most 8"} :
// CHECK: %v = nn.kernel(%x) {halide.on_host = "the device computes nn.sin with fewer digits than floats have"} :
