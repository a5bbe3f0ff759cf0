// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels | filecheck %s

// Products with open columns or open steps are computed in tiles. A tile of columns divides the largest number of them,
// since all of it is read: of an inner axis all columns of the largest number are there.

func.func @f(%q: tensor<4x128x32xf32>, %k: tensor<4x32x128xf32>, %t: tensor<4x128x32xf32>, %p: tensor<4x128x128xf32>, %row: tensor<1x128xf32>, %column: tensor<128x1xf32>, %c: tensor<4x32x100xf32>) -> (tensor<4x128x128xf32>, tensor<4x128x128xf32>, tensor<4x128x32xf32>, tensor<128x128xf32>, tensor<4x128x128xf32>, tensor<4x128x100xf32>) {
  // CHECK: %scores = nn.kernel(%q, %k) {open = {{.*}}, config = #nn.config<gemm, tile = [{{16|32|48|64}}, {{[0-9]+}}], block = [{{[0-9]+}}], fetch = [], unroll = []>
  %scores = nn.kernel(%q, %k) {open = [array<i64: 0, 1, 0>, array<i64: 0, 0, 1>, array<i64: 0, 1, 1>]} : (tensor<4x128x32xf32>, tensor<4x32x128xf32>) -> tensor<4x128x128xf32> {
  ^bb0(%a: tensor<4x128x32xf32>, %b: tensor<4x32x128xf32>):
    %y = nn.matmul %a, %b : (tensor<4x128x32xf32>, tensor<4x32x128xf32>) -> tensor<4x128x128xf32>
    nn.yield %y : tensor<4x128x128xf32>
  }
  // CHECK: %shares = nn.kernel(%scores) {open = {{.*}}, config = #nn.config<row,
  %shares = nn.kernel(%scores) {open = [array<i64: 0, 1, 1>, array<i64: 0, 1, 1>]} : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32> {
  ^bb0(%a: tensor<4x128x128xf32>):
    %y = nn.softmax %a {axis = 2 : i64} : (tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
    nn.yield %y : tensor<4x128x128xf32>
  }
  // CHECK: %mixed = nn.kernel(%p, %t) {open = {{.*}}, config = #nn.config<gemm,
  %mixed = nn.kernel(%p, %t) {open = [array<i64: 0, 1, 1>, array<i64: 0, 1, 0>, array<i64: 0, 1, 0>]} : (tensor<4x128x128xf32>, tensor<4x128x32xf32>) -> tensor<4x128x32xf32> {
  ^bb0(%a: tensor<4x128x128xf32>, %b: tensor<4x128x32xf32>):
    %y = nn.matmul %a, %b : (tensor<4x128x128xf32>, tensor<4x128x32xf32>) -> tensor<4x128x32xf32>
    nn.yield %y : tensor<4x128x32xf32>
  }
  // What a caller brings may end at the number: a single row of columns is not read beyond it.
  // CHECK: %outer = nn.kernel(%column, %row) {open = {{.*}}, config = #nn.config<plain,
  %outer = nn.kernel(%column, %row) {open = [array<i64: 1, 0>, array<i64: 0, 1>, array<i64: 1, 1>]} : (tensor<128x1xf32>, tensor<1x128xf32>) -> tensor<128x128xf32> {
  ^bb0(%a: tensor<128x1xf32>, %b: tensor<1x128xf32>):
    %y = nn.matmul %a, %b : (tensor<128x1xf32>, tensor<1x128xf32>) -> tensor<128x128xf32>
    nn.yield %y : tensor<128x128xf32>
  }
  // Nor are the rows of a right-hand side that is transposed.
  // CHECK: %turned = nn.kernel(%q, %t) {open = {{.*}}, config = #nn.config<plain,
  %turned = nn.kernel(%q, %t) {open = [array<i64: 0, 1, 0>, array<i64: 0, 1, 0>, array<i64: 0, 1, 1>]} : (tensor<4x128x32xf32>, tensor<4x128x32xf32>) -> tensor<4x128x128xf32> {
  ^bb0(%a: tensor<4x128x32xf32>, %b: tensor<4x128x32xf32>):
    %y = nn.matmul %a, %b {transpose_rhs = true} : (tensor<4x128x32xf32>, tensor<4x128x32xf32>) -> tensor<4x128x128xf32>
    nn.yield %y : tensor<4x128x128xf32>
  }
  // CHECK: %hundred = nn.kernel(%q, %c) {open = {{.*}}, config = #nn.config<gemm, tile = [4,
  %hundred = nn.kernel(%q, %c) {open = [array<i64: 0, 0, 0>, array<i64: 0, 0, 1>, array<i64: 0, 0, 1>]} : (tensor<4x128x32xf32>, tensor<4x32x100xf32>) -> tensor<4x128x100xf32> {
  ^bb0(%a: tensor<4x128x32xf32>, %b: tensor<4x32x100xf32>):
    %y = nn.matmul %a, %b : (tensor<4x128x32xf32>, tensor<4x32x100xf32>) -> tensor<4x128x100xf32>
    nn.yield %y : tensor<4x128x100xf32>
  }
  func.return %scores, %turned, %mixed, %outer, %shares, %hundred : tensor<4x128x128xf32>, tensor<4x128x128xf32>, tensor<4x128x32xf32>, tensor<128x128xf32>, tensor<4x128x128xf32>, tensor<4x128x100xf32>
}
