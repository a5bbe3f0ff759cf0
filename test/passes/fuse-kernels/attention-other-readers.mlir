// RUN: autodeploy-opt %s --split-input-file --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Near misses of the second product, which stays on its own.

// It reads each row of the softmax for several matrices.

func.func @broadcast(%q: tensor<1x1024x32xf32>, %k: tensor<1x32x1024xf32>, %v: tensor<8x1024x32xf32>) -> tensor<8x1024x32xf32> {
  %s = nn.matmul %q, %k : (tensor<1x1024x32xf32>, tensor<1x32x1024xf32>) -> tensor<1x1024x1024xf32>
  %w = nn.softmax %s {axis = 2 : i64} : (tensor<1x1024x1024xf32>) -> tensor<1x1024x1024xf32>
  %y = nn.matmul %w, %v : (tensor<1x1024x1024xf32>, tensor<8x1024x32xf32>) -> tensor<8x1024x32xf32>
  func.return %y : tensor<8x1024x32xf32>
}
// CHECK-LABEL: @broadcast
// CHECK: %w = nn.kernel(%q, %k) {config = #nn.config<attention, bands = [8, 8, 8]>}
// CHECK: %y = nn.kernel(%w, %v) :

// -----

// It reads columns of the softmax as rows.

func.func @turned(%q: tensor<1024x32xf32>, %k: tensor<32x1024xf32>, %v: tensor<1024x32xf32>) -> tensor<1024x32xf32> {
  %s = nn.matmul %q, %k : (tensor<1024x32xf32>, tensor<32x1024xf32>) -> tensor<1024x1024xf32>
  %w = nn.softmax %s {axis = 1 : i64} : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %y = nn.matmul %w, %v {transpose_lhs = true} : (tensor<1024x1024xf32>, tensor<1024x32xf32>) -> tensor<1024x32xf32>
  func.return %y : tensor<1024x32xf32>
}
// CHECK-LABEL: @turned
// CHECK: %w = nn.kernel(%q, %k) {config = #nn.config<attention, bands = [8, 8, 8]>}
// CHECK: %y = nn.kernel(%w, %v) :

// -----

// The softmax is its right-hand side.

func.func @right(%q: tensor<1024x32xf32>, %k: tensor<32x1024xf32>, %v: tensor<32x1024xf32>) -> tensor<32x1024xf32> {
  %s = nn.matmul %q, %k : (tensor<1024x32xf32>, tensor<32x1024xf32>) -> tensor<1024x1024xf32>
  %w = nn.softmax %s {axis = 1 : i64} : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %y = nn.matmul %v, %w : (tensor<32x1024xf32>, tensor<1024x1024xf32>) -> tensor<32x1024xf32>
  func.return %y : tensor<32x1024xf32>
}
// CHECK-LABEL: @right
// CHECK: %w = nn.kernel(%q, %k) {config = #nn.config<attention, bands = [8, 8, 8]>}
// CHECK: %y = nn.kernel(%v, %w) :

// -----

// The softmax is a result, too.

func.func @leaves(%q: tensor<1024x32xf32>, %k: tensor<32x1024xf32>, %v: tensor<1024x32xf32>) -> (tensor<1024x1024xf32>, tensor<1024x32xf32>) {
  %s = nn.matmul %q, %k : (tensor<1024x32xf32>, tensor<32x1024xf32>) -> tensor<1024x1024xf32>
  %w = nn.softmax %s {axis = 1 : i64} : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %y = nn.matmul %w, %v : (tensor<1024x1024xf32>, tensor<1024x32xf32>) -> tensor<1024x32xf32>
  func.return %w, %y : tensor<1024x1024xf32>, tensor<1024x32xf32>
}
// CHECK-LABEL: @leaves
// CHECK: %w = nn.kernel(%q, %k) {config = #nn.config<attention, bands = [8, 8, 8]>}
// CHECK: %y = nn.kernel(%w, %v) :
