// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// What has fewer columns is divided by the sums of exponentials: the result of the product, or the rows of the softmax.
// Something between both, or a rounding to 16 bits, needs the rows divided. A knob that is given stays.

func.func @f(%q: tensor<30x8xf32>, %k: tensor<8x20xf32>, %narrow: tensor<20x12xf32>, %wide: tensor<20x20xf32>, %h: tensor<30x8xf16>, %i: tensor<8x20xf16>, %j: tensor<20x12xf16>) -> (tensor<30x12xf32>, tensor<30x20xf32>, tensor<30x12xf32>, tensor<30x12xf32>, tensor<30x12xf16>, tensor<30x20xf32>) {
  %a = nn.kernel(%q, %k, %narrow) {config = #nn.config<attention, bands = [6, 6, 6, 6]>} : (tensor<30x8xf32>, tensor<8x20xf32>, tensor<20x12xf32>) -> tensor<30x12xf32> {
  ^bb0(%x: tensor<30x8xf32>, %y: tensor<8x20xf32>, %z: tensor<20x12xf32>):
    %s = nn.matmul %x, %y : (tensor<30x8xf32>, tensor<8x20xf32>) -> tensor<30x20xf32>
    %w = nn.softmax %s {axis = 1 : i64} : (tensor<30x20xf32>) -> tensor<30x20xf32>
    %r = nn.matmul %w, %z : (tensor<30x20xf32>, tensor<20x12xf32>) -> tensor<30x12xf32>
    nn.yield %r : tensor<30x12xf32>
  }
  %b = nn.kernel(%q, %k, %wide) {config = #nn.config<attention, bands = [6, 6, 6, 6]>} : (tensor<30x8xf32>, tensor<8x20xf32>, tensor<20x20xf32>) -> tensor<30x20xf32> {
  ^bb0(%x: tensor<30x8xf32>, %y: tensor<8x20xf32>, %z: tensor<20x20xf32>):
    %s = nn.matmul %x, %y : (tensor<30x8xf32>, tensor<8x20xf32>) -> tensor<30x20xf32>
    %w = nn.softmax %s {axis = 1 : i64} : (tensor<30x20xf32>) -> tensor<30x20xf32>
    %r = nn.matmul %w, %z : (tensor<30x20xf32>, tensor<20x20xf32>) -> tensor<30x20xf32>
    nn.yield %r : tensor<30x20xf32>
  }
  %c = nn.kernel(%q, %k, %narrow) {config = #nn.config<attention, bands = [6, 6, 6, 6]>} : (tensor<30x8xf32>, tensor<8x20xf32>, tensor<20x12xf32>) -> tensor<30x12xf32> {
  ^bb0(%x: tensor<30x8xf32>, %y: tensor<8x20xf32>, %z: tensor<20x12xf32>):
    %s = nn.matmul %x, %y : (tensor<30x8xf32>, tensor<8x20xf32>) -> tensor<30x20xf32>
    %w = nn.softmax %s {axis = 1 : i64} : (tensor<30x20xf32>) -> tensor<30x20xf32>
    %v = nn.sqrt %w : (tensor<30x20xf32>) -> tensor<30x20xf32>
    %r = nn.matmul %v, %z : (tensor<30x20xf32>, tensor<20x12xf32>) -> tensor<30x12xf32>
    nn.yield %r : tensor<30x12xf32>
  }
  %d = nn.kernel(%q, %k, %narrow) {config = #nn.config<attention, bands = [6, 6, 6, 6], divide = [rows]>} : (tensor<30x8xf32>, tensor<8x20xf32>, tensor<20x12xf32>) -> tensor<30x12xf32> {
  ^bb0(%x: tensor<30x8xf32>, %y: tensor<8x20xf32>, %z: tensor<20x12xf32>):
    %s = nn.matmul %x, %y : (tensor<30x8xf32>, tensor<8x20xf32>) -> tensor<30x20xf32>
    %w = nn.softmax %s {axis = 1 : i64} : (tensor<30x20xf32>) -> tensor<30x20xf32>
    %r = nn.matmul %w, %z : (tensor<30x20xf32>, tensor<20x12xf32>) -> tensor<30x12xf32>
    nn.yield %r : tensor<30x12xf32>
  }
  %e = nn.kernel(%h, %i, %j) {config = #nn.config<attention, bands = [6, 6, 6, 6]>} : (tensor<30x8xf16>, tensor<8x20xf16>, tensor<20x12xf16>) -> tensor<30x12xf16> {
  ^bb0(%x: tensor<30x8xf16>, %y: tensor<8x20xf16>, %z: tensor<20x12xf16>):
    %s = nn.matmul %x, %y : (tensor<30x8xf16>, tensor<8x20xf16>) -> tensor<30x20xf16>
    %w = nn.softmax %s {axis = 1 : i64} : (tensor<30x20xf16>) -> tensor<30x20xf16>
    %r = nn.matmul %w, %z : (tensor<30x20xf16>, tensor<20x12xf16>) -> tensor<30x12xf16>
    nn.yield %r : tensor<30x12xf16>
  }
  %g = nn.kernel(%q, %k) {config = #nn.config<attention, bands = [6, 6, 6]>} : (tensor<30x8xf32>, tensor<8x20xf32>) -> tensor<30x20xf32> {
  ^bb0(%x: tensor<30x8xf32>, %y: tensor<8x20xf32>):
    %s = nn.matmul %x, %y : (tensor<30x8xf32>, tensor<8x20xf32>) -> tensor<30x20xf32>
    %w = nn.softmax %s {axis = 1 : i64} : (tensor<30x20xf32>) -> tensor<30x20xf32>
    nn.yield %w : tensor<30x20xf32>
  }
  func.return %a, %b, %c, %d, %e, %g : tensor<30x12xf32>, tensor<30x20xf32>, tensor<30x12xf32>, tensor<30x12xf32>, tensor<30x12xf16>, tensor<30x20xf32>
}

// CHECK: %a = {{.*}}gemm<tile = [8, 6]>], divide = [result]>}
// CHECK: %b = {{.*}}gemm<tile = [16, 6]>], divide = [rows]>}
// CHECK: %c = {{.*}}gemm<tile = [8, 6]>]>}
// CHECK: %d = {{.*}}divide = [rows]
// CHECK: %e = {{.*}}gemm<tile = [8, 6]>]>}
// CHECK: %g = {{.*}}row<vector = [32], unroll = [8]>]>}
