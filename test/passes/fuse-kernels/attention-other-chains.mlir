// RUN: autodeploy-opt %s --split-input-file --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels | filecheck %s

// Near misses: what is left as it is.

// CHECK-NOT: attention

// The softmax is along the rows of another axis.

func.func @axis(%q: tensor<8x512x32xf32>, %k: tensor<8x32x512xf32>) -> tensor<8x512x512xf32> {
  %s = nn.matmul %q, %k : (tensor<8x512x32xf32>, tensor<8x32x512xf32>) -> tensor<8x512x512xf32>
  %y = nn.softmax %s {axis = 1 : i64} : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  func.return %y : tensor<8x512x512xf32>
}
// CHECK-COUNT-2: nn.kernel(
// CHECK-NOT: attention

// -----

// No product makes what the softmax reads: it comes from afar either way.

func.func @no_product(%s: tensor<8x512x512xf32>, %v: tensor<8x512x32xf32>) -> tensor<8x512x32xf32> {
  %w = nn.softmax %s {axis = 2 : i64} : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %y = nn.matmul %w, %v : (tensor<8x512x512xf32>, tensor<8x512x32xf32>) -> tensor<8x512x32xf32>
  func.return %y : tensor<8x512x32xf32>
}
// CHECK-COUNT-2: nn.kernel(
// CHECK-NOT: attention

// -----

// The scores are a result, too.

func.func @scores_leave(%q: tensor<8x512x32xf32>, %k: tensor<8x32x512xf32>) -> (tensor<8x512x512xf32>, tensor<8x512x512xf32>) {
  %s = nn.matmul %q, %k : (tensor<8x512x32xf32>, tensor<8x32x512xf32>) -> tensor<8x512x512xf32>
  %y = nn.softmax %s {axis = 2 : i64} : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  func.return %s, %y : tensor<8x512x512xf32>, tensor<8x512x512xf32>
}
// CHECK-COUNT-2: nn.kernel(
// CHECK-NOT: attention

// -----

// The kernel of the softmax reads the scores twice.

func.func @read_twice(%q: tensor<8x512x32xf32>, %k: tensor<8x32x512xf32>) -> tensor<8x512x512xf32> {
  %s = nn.matmul %q, %k : (tensor<8x512x32xf32>, tensor<8x32x512xf32>) -> tensor<8x512x512xf32>
  %y = nn.kernel(%s) : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32> {
  ^bb0(%a: tensor<8x512x512xf32>):
    %w = nn.softmax %a {axis = 2 : i64} : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
    %m = nn.mul %w, %a : (tensor<8x512x512xf32>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
    nn.yield %m : tensor<8x512x512xf32>
  }
  func.return %y : tensor<8x512x512xf32>
}
// CHECK-COUNT-2: nn.kernel(
// CHECK-NOT: attention

// -----

// One column: its softmax is 1.

func.func @one_column(%q: tensor<8x65536x32xf32>, %k: tensor<8x32x1xf32>) -> tensor<8x65536x1xf32> {
  %s = nn.matmul %q, %k : (tensor<8x65536x32xf32>, tensor<8x32x1xf32>) -> tensor<8x65536x1xf32>
  %y = nn.softmax %s {axis = 2 : i64} : (tensor<8x65536x1xf32>) -> tensor<8x65536x1xf32>
  func.return %y : tensor<8x65536x1xf32>
}
// CHECK-COUNT-2: nn.kernel(
// CHECK-NOT: attention

// -----

// Weights that come from afar would come from there for each band.

func.func @far_weights(%x: tensor<512x512xf32>) -> tensor<512x1000xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<512x1000xf32>>
  %s = nn.matmul %x, %w : (tensor<512x512xf32>, tensor<512x1000xf32>) -> tensor<512x1000xf32>
  %y = nn.softmax %s {axis = 1 : i64} : (tensor<512x1000xf32>) -> tensor<512x1000xf32>
  func.return %y : tensor<512x1000xf32>
}
// CHECK-COUNT-2: nn.kernel(
// CHECK-NOT: attention
