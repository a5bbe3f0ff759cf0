// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// A single row times a matrix with open columns: tiles divide the largest number where these are whole vectors, since all
// of a tile is read; else the last tile reads the last column again. Open steps are not unrolled. Fewer columns than a
// vector has are those of the plain template, and so are those of what a caller may have brought.

func.func @f(%q: tensor<4x1x32xf32>, %k: tensor<4x32x160xf32>, %p: tensor<4x1x160xf32>, %v: tensor<4x160x32xf32>, %c: tensor<4x32x161xf32>, %few: tensor<4x32x7xf32>, %pairs: tensor<4x32x168xf32>, %one: tensor<1x1xf32>, %row: tensor<1x160xf32>) -> (tensor<4x1x160xf32>, tensor<4x1x32xf32>, tensor<4x1x161xf32>, tensor<4x1x7xf32>, tensor<4x1x168xf32>, tensor<1x160xf32>) {
  // CHECK: %scores = nn.kernel(%q, %k) {open = {{.*}}, config = #nn.config<gemv, tile = [32], unroll = [4]>}
  %scores = nn.kernel(%q, %k) {open = [array<i64: 0, 0, 0>, array<i64: 0, 0, 1>, array<i64: 0, 0, 1>]} : (tensor<4x1x32xf32>, tensor<4x32x160xf32>) -> tensor<4x1x160xf32> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x160xf32>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x160xf32>) -> tensor<4x1x160xf32>
    nn.yield %y : tensor<4x1x160xf32>
  }
  // CHECK: %mixed = nn.kernel(%p, %v) {open = {{.*}}, config = #nn.config<gemv, tile = [32], unroll = [1]>}
  %mixed = nn.kernel(%p, %v) {open = [array<i64: 0, 0, 1>, array<i64: 0, 1, 0>, array<i64: 0, 0, 0>]} : (tensor<4x1x160xf32>, tensor<4x160x32xf32>) -> tensor<4x1x32xf32> {
  ^bb0(%a: tensor<4x1x160xf32>, %b: tensor<4x160x32xf32>):
    %y = nn.matmul %a, %b : (tensor<4x1x160xf32>, tensor<4x160x32xf32>) -> tensor<4x1x32xf32>
    nn.yield %y : tensor<4x1x32xf32>
  }
  // CHECK: %odd = nn.kernel(%q, %c) {open = {{.*}}, config = #nn.config<gemv, tile = [32], unroll = [4]>}
  %odd = nn.kernel(%q, %c) {open = [array<i64: 0, 0, 0>, array<i64: 0, 0, 1>, array<i64: 0, 0, 1>]} : (tensor<4x1x32xf32>, tensor<4x32x161xf32>) -> tensor<4x1x161xf32> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x161xf32>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x161xf32>) -> tensor<4x1x161xf32>
    nn.yield %y : tensor<4x1x161xf32>
  }
  // CHECK: %less = nn.kernel(%q, %few) {open = {{.*}}, config = #nn.config<plain,
  %less = nn.kernel(%q, %few) {open = [array<i64: 0, 0, 0>, array<i64: 0, 0, 1>, array<i64: 0, 0, 1>]} : (tensor<4x1x32xf32>, tensor<4x32x7xf32>) -> tensor<4x1x7xf32> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x7xf32>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x7xf32>) -> tensor<4x1x7xf32>
    nn.yield %y : tensor<4x1x7xf32>
  }
  // CHECK: %single = nn.kernel(%q, %pairs) {open = {{.*}}, config = #nn.config<gemv, tile = [8], unroll = [4]>}
  %single = nn.kernel(%q, %pairs) {open = [array<i64: 0, 0, 0>, array<i64: 0, 0, 1>, array<i64: 0, 0, 1>]} : (tensor<4x1x32xf32>, tensor<4x32x168xf32>) -> tensor<4x1x168xf32> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x168xf32>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x168xf32>) -> tensor<4x1x168xf32>
    nn.yield %y : tensor<4x1x168xf32>
  }
  // CHECK: %outer = nn.kernel(%one, %row) {open = {{.*}}, config = #nn.config<plain,
  %outer = nn.kernel(%one, %row) {open = [array<i64: 0, 0>, array<i64: 0, 1>, array<i64: 0, 1>]} : (tensor<1x1xf32>, tensor<1x160xf32>) -> tensor<1x160xf32> {
  ^bb0(%a: tensor<1x1xf32>, %b: tensor<1x160xf32>):
    %y = nn.matmul %a, %b : (tensor<1x1xf32>, tensor<1x160xf32>) -> tensor<1x160xf32>
    nn.yield %y : tensor<1x160xf32>
  }
  func.return %scores, %mixed, %odd, %less, %single, %outer : tensor<4x1x160xf32>, tensor<4x1x32xf32>, tensor<4x1x161xf32>, tensor<4x1x7xf32>, tensor<4x1x168xf32>, tensor<1x160xf32>
}
