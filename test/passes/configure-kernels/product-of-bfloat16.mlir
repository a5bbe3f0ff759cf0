// RUN: autodeploy-opt %s --set-machine=machine=x86-64-zen4 --configure-kernels | filecheck %s

// Each element of a tile of bfloat16 multiplies two vectors; of one of bytes, a single one where there are few steps.

func.func @f(%x: tensor<784x32xbf16>, %c: tensor<784x32xui8>) -> (tensor<784x192xf32>, tensor<784x192xi32>) {
  %w = nn.constant #nn.dense<"0x803F" : tensor<32x192xbf16>>
  %halves = nn.kernel(%x, %w) : (tensor<784x32xbf16>, tensor<32x192xbf16>) -> tensor<784x192xf32> {
  ^bb0(%a: tensor<784x32xbf16>, %b: tensor<32x192xbf16>):
    %v = nn.matmul %a, %b {accumulator = f32} : (tensor<784x32xbf16>, tensor<32x192xbf16>) -> tensor<784x192xf32>
    nn.yield %v : tensor<784x192xf32>
  }
  %u = nn.constant #nn.dense<1 : tensor<32x192xi8>>
  %bytes = nn.kernel(%c, %u) : (tensor<784x32xui8>, tensor<32x192xi8>) -> tensor<784x192xi32> {
  ^bb0(%a: tensor<784x32xui8>, %b: tensor<32x192xi8>):
    %v = nn.matmul %a, %b {accumulator = i32} : (tensor<784x32xui8>, tensor<32x192xi8>) -> tensor<784x192xi32>
    nn.yield %v : tensor<784x192xi32>
  }
  func.return %halves, %bytes : tensor<784x192xf32>, tensor<784x192xi32>
}

// CHECK: %halves = {{.*}} #nn.config<gemm, tile = [32, {{[0-9]+}}], {{.*}} dot = [2]
// CHECK: %bytes = {{.*}} #nn.config<gemm, tile = [16, 4], {{.*}} dot = [4]
