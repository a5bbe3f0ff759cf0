// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// A single row times a matrix with open columns: tiles divide the largest number where these are whole vectors, since all
// of a tile is read; else the last tile reads the last column again. Open steps are not unrolled. Fewer columns than a
// vector has are those of the plain template, and so are those of what a caller may have brought.

func.func @f(%q: tensor<4x1x32xf32>, %k: tensor<4x32x160xf32, #nn.extents<[4, 32, d0], "n", 1 to 160>>, %p: tensor<4x1x160xf32, #nn.extents<[4, 1, d0], "n", 1 to 160>>, %v: tensor<4x160x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 160>>, %c: tensor<4x32x161xf32, #nn.extents<[4, 32, d0], "n", 1 to 161>>, %few: tensor<4x32x7xf32, #nn.extents<[4, 32, d0], "n", 1 to 7>>, %pairs: tensor<4x32x168xf32, #nn.extents<[4, 32, d0], "n", 1 to 168>>, %one: tensor<1x1xf32>, %row: tensor<1x160xf32, #nn.extents<[1, d0], "n", 1 to 160>>) -> (tensor<4x1x160xf32, #nn.extents<[4, 1, d0], "n", 1 to 160>>, tensor<4x1x32xf32>, tensor<4x1x161xf32, #nn.extents<[4, 1, d0], "n", 1 to 161>>, tensor<4x1x7xf32, #nn.extents<[4, 1, d0], "n", 1 to 7>>, tensor<4x1x168xf32, #nn.extents<[4, 1, d0], "n", 1 to 168>>, tensor<1x160xf32, #nn.extents<[1, d0], "n", 1 to 160>>) {
  // CHECK: %scores = nn.kernel(%q, %k) {config = #nn.config<gemv, tile = [32], unroll = [4]>}
  %scores = nn.kernel(%q, %k) : (tensor<4x1x32xf32>, tensor<4x32x160xf32, #nn.extents<[4, 32, d0], "n", 1 to 160>>) -> tensor<4x1x160xf32, #nn.extents<[4, 1, d0], "n", 1 to 160>> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x160xf32, #nn.extents<[4, 32, d0], "n", 1 to 160>>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x160xf32, #nn.extents<[4, 32, d0], "n", 1 to 160>>) -> tensor<4x1x160xf32, #nn.extents<[4, 1, d0], "n", 1 to 160>>
    nn.yield %y : tensor<4x1x160xf32, #nn.extents<[4, 1, d0], "n", 1 to 160>>
  }
  // CHECK: %mixed = nn.kernel(%p, %v) {config = #nn.config<gemv, tile = [32], unroll = [1]>}
  %mixed = nn.kernel(%p, %v) : (tensor<4x1x160xf32, #nn.extents<[4, 1, d0], "n", 1 to 160>>, tensor<4x160x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 160>>) -> tensor<4x1x32xf32> {
  ^bb0(%a: tensor<4x1x160xf32, #nn.extents<[4, 1, d0], "n", 1 to 160>>, %b: tensor<4x160x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 160>>):
    %y = nn.matmul %a, %b : (tensor<4x1x160xf32, #nn.extents<[4, 1, d0], "n", 1 to 160>>, tensor<4x160x32xf32, #nn.extents<[4, d0, 32], "n", 1 to 160>>) -> tensor<4x1x32xf32>
    nn.yield %y : tensor<4x1x32xf32>
  }
  // CHECK: %odd = nn.kernel(%q, %c) {config = #nn.config<gemv, tile = [32], unroll = [4]>}
  %odd = nn.kernel(%q, %c) : (tensor<4x1x32xf32>, tensor<4x32x161xf32, #nn.extents<[4, 32, d0], "n", 1 to 161>>) -> tensor<4x1x161xf32, #nn.extents<[4, 1, d0], "n", 1 to 161>> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x161xf32, #nn.extents<[4, 32, d0], "n", 1 to 161>>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x161xf32, #nn.extents<[4, 32, d0], "n", 1 to 161>>) -> tensor<4x1x161xf32, #nn.extents<[4, 1, d0], "n", 1 to 161>>
    nn.yield %y : tensor<4x1x161xf32, #nn.extents<[4, 1, d0], "n", 1 to 161>>
  }
  // CHECK: %less = nn.kernel(%q, %few) {config = #nn.config<plain,
  %less = nn.kernel(%q, %few) : (tensor<4x1x32xf32>, tensor<4x32x7xf32, #nn.extents<[4, 32, d0], "n", 1 to 7>>) -> tensor<4x1x7xf32, #nn.extents<[4, 1, d0], "n", 1 to 7>> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x7xf32, #nn.extents<[4, 32, d0], "n", 1 to 7>>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x7xf32, #nn.extents<[4, 32, d0], "n", 1 to 7>>) -> tensor<4x1x7xf32, #nn.extents<[4, 1, d0], "n", 1 to 7>>
    nn.yield %y : tensor<4x1x7xf32, #nn.extents<[4, 1, d0], "n", 1 to 7>>
  }
  // CHECK: %single = nn.kernel(%q, %pairs) {config = #nn.config<gemv, tile = [8], unroll = [4]>}
  %single = nn.kernel(%q, %pairs) : (tensor<4x1x32xf32>, tensor<4x32x168xf32, #nn.extents<[4, 32, d0], "n", 1 to 168>>) -> tensor<4x1x168xf32, #nn.extents<[4, 1, d0], "n", 1 to 168>> {
  ^bb0(%a: tensor<4x1x32xf32>, %b: tensor<4x32x168xf32, #nn.extents<[4, 32, d0], "n", 1 to 168>>):
    %y = nn.matmul %a, %b : (tensor<4x1x32xf32>, tensor<4x32x168xf32, #nn.extents<[4, 32, d0], "n", 1 to 168>>) -> tensor<4x1x168xf32, #nn.extents<[4, 1, d0], "n", 1 to 168>>
    nn.yield %y : tensor<4x1x168xf32, #nn.extents<[4, 1, d0], "n", 1 to 168>>
  }
  // CHECK: %outer = nn.kernel(%one, %row) {config = #nn.config<plain,
  %outer = nn.kernel(%one, %row) : (tensor<1x1xf32>, tensor<1x160xf32, #nn.extents<[1, d0], "n", 1 to 160>>) -> tensor<1x160xf32, #nn.extents<[1, d0], "n", 1 to 160>> {
  ^bb0(%a: tensor<1x1xf32>, %b: tensor<1x160xf32, #nn.extents<[1, d0], "n", 1 to 160>>):
    %y = nn.matmul %a, %b : (tensor<1x1xf32>, tensor<1x160xf32, #nn.extents<[1, d0], "n", 1 to 160>>) -> tensor<1x160xf32, #nn.extents<[1, d0], "n", 1 to 160>>
    nn.yield %y : tensor<1x160xf32, #nn.extents<[1, d0], "n", 1 to 160>>
  }
  func.return %scores, %mixed, %odd, %less, %single, %outer : tensor<4x1x160xf32, #nn.extents<[4, 1, d0], "n", 1 to 160>>, tensor<4x1x32xf32>, tensor<4x1x161xf32, #nn.extents<[4, 1, d0], "n", 1 to 161>>, tensor<4x1x7xf32, #nn.extents<[4, 1, d0], "n", 1 to 7>>, tensor<4x1x168xf32, #nn.extents<[4, 1, d0], "n", 1 to 168>>, tensor<1x160xf32, #nn.extents<[1, d0], "n", 1 to 160>>
}
