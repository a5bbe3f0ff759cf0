// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels | filecheck %s

// Products with open columns or open steps are computed in tiles of whole vectors of columns, all of which are read: of
// an inner axis all columns of the largest number are there. Those beyond it, of %hundred, repeat the last one.

func.func @f(%q: tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, %k: tensor<4x32x128xf32, #nn.extents<[4, 32, d0], "n", 1 to 128>>, %t: tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, %p: tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, %row: tensor<1x128xf32, #nn.extents<[1, d0], "n", 1 to 128>>, %column: tensor<128x1xf32, #nn.extents<[d0, 1], "n", 1 to 128>>, %h: tensor<4x128x32xf32>, %c: tensor<4x32x100xf32, #nn.extents<[4, 32, d0], "n", 1 to 100>>) -> (tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, tensor<128x128xf32, #nn.extents<[d0, d0], "n", 1 to 128>>, tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, tensor<4x128x100xf32, #nn.extents<[4, 128, d0], "n", 1 to 100>>) {
  // CHECK: %scores = nn.kernel(%q, %k) {config = #nn.config<gemm, tile = [{{16|32|48|64}}, {{[0-9]+}}], block = [{{[0-9]+}}]>
  %scores = nn.kernel(%q, %k) : (tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, tensor<4x32x128xf32, #nn.extents<[4, 32, d0], "n", 1 to 128>>) -> tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>> {
  ^bb0(%a: tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, %b: tensor<4x32x128xf32, #nn.extents<[4, 32, d0], "n", 1 to 128>>):
    %y = nn.matmul %a, %b : (tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, tensor<4x32x128xf32, #nn.extents<[4, 32, d0], "n", 1 to 128>>) -> tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>
    nn.yield %y : tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>
  }
  // CHECK: %shares = nn.kernel(%scores) {config = #nn.config<row,
  %shares = nn.kernel(%scores) : (tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>) -> tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>> {
  ^bb0(%a: tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>):
    %y = nn.softmax %a {axis = 2 : i64} : (tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>) -> tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>
    nn.yield %y : tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>
  }
  // CHECK: %mixed = nn.kernel(%p, %t) {config = #nn.config<gemm,
  %mixed = nn.kernel(%p, %t) : (tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>) -> tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>> {
  ^bb0(%a: tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, %b: tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>):
    %y = nn.matmul %a, %b : (tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>) -> tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>
    nn.yield %y : tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>
  }
  // What a caller brings may end at the number: a single row of columns is not read beyond it.
  // CHECK: %outer = nn.kernel(%column, %row) {config = #nn.config<plain,
  %outer = nn.kernel(%column, %row) : (tensor<128x1xf32, #nn.extents<[d0, 1], "n", 1 to 128>>, tensor<1x128xf32, #nn.extents<[1, d0], "n", 1 to 128>>) -> tensor<128x128xf32, #nn.extents<[d0, d0], "n", 1 to 128>> {
  ^bb0(%a: tensor<128x1xf32, #nn.extents<[d0, 1], "n", 1 to 128>>, %b: tensor<1x128xf32, #nn.extents<[1, d0], "n", 1 to 128>>):
    %y = nn.matmul %a, %b : (tensor<128x1xf32, #nn.extents<[d0, 1], "n", 1 to 128>>, tensor<1x128xf32, #nn.extents<[1, d0], "n", 1 to 128>>) -> tensor<128x128xf32, #nn.extents<[d0, d0], "n", 1 to 128>>
    nn.yield %y : tensor<128x128xf32, #nn.extents<[d0, d0], "n", 1 to 128>>
  }
  // Nor are the rows of a right-hand side that is transposed.
  // CHECK: %turned = nn.kernel(%q, %t) {config = #nn.config<plain,
  %turned = nn.kernel(%q, %t) : (tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>) -> tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>> {
  ^bb0(%a: tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, %b: tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>):
    %y = nn.matmul %a, %b {transpose_rhs = true} : (tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>) -> tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>
    nn.yield %y : tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>
  }
  // CHECK: %hundred = nn.kernel(%h, %c) {config = #nn.config<gemm, tile = [16,
  %hundred = nn.kernel(%h, %c) : (tensor<4x128x32xf32>, tensor<4x32x100xf32, #nn.extents<[4, 32, d0], "n", 1 to 100>>) -> tensor<4x128x100xf32, #nn.extents<[4, 128, d0], "n", 1 to 100>> {
  ^bb0(%a: tensor<4x128x32xf32>, %b: tensor<4x32x100xf32, #nn.extents<[4, 32, d0], "n", 1 to 100>>):
    %y = nn.matmul %a, %b : (tensor<4x128x32xf32>, tensor<4x32x100xf32, #nn.extents<[4, 32, d0], "n", 1 to 100>>) -> tensor<4x128x100xf32, #nn.extents<[4, 128, d0], "n", 1 to 100>>
    nn.yield %y : tensor<4x128x100xf32, #nn.extents<[4, 128, d0], "n", 1 to 100>>
  }
  func.return %scores, %turned, %mixed, %outer, %shares, %hundred : tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, tensor<4x128x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 128>>, tensor<128x128xf32, #nn.extents<[d0, d0], "n", 1 to 128>>, tensor<4x128x128xf32, #nn.extents<[4, d0, d0], "n", 1 to 128>>, tensor<4x128x100xf32, #nn.extents<[4, 128, d0], "n", 1 to 100>>
}
