// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// Halide takes a call of the C library apart, and its C backend has no guarded loads of one lane:
// a guarded tile that ends in a square root is no vector. One that ends in a bound is.

func.func @root(%a: tensor<49x8xf32>, %b: tensor<2x8x16xf32>, %bias: tensor<24xf32>) -> tensor<49x24xf32> {
  %y = nn.kernel(%a, %b, %bias) {config = #nn.config<gemm>} : (tensor<49x8xf32>, tensor<2x8x16xf32>, tensor<24xf32>) -> tensor<49x24xf32> {
  ^bb0(%l: tensor<49x8xf32>, %r: tensor<2x8x16xf32>, %c: tensor<24xf32>):
    %v = nn.matmul %l, %r, %c {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 24>} : (tensor<49x8xf32>, tensor<2x8x16xf32>, tensor<24xf32>) -> tensor<49x24xf32>
    %s = nn.sqrt %v : (tensor<49x24xf32>) -> tensor<49x24xf32>
    nn.yield %s : tensor<49x24xf32>
  }
  func.return %y : tensor<49x24xf32>
}

// CHECK-LABEL: @matmul_sqrt_0
// CHECK: halide.split %out "x" to "no", "nt" by {{.*}} {tail = #halide<tail guard_with_if>}
// CHECK-NOT: halide.vectorize %out
// CHECK: halide.vectorize %matmul

func.func @bound(%a: tensor<49x8xf32>, %b: tensor<2x8x16xf32>, %bias: tensor<24xf32>) -> tensor<49x24xf32> {
  %y = nn.kernel(%a, %b, %bias) {config = #nn.config<gemm>} : (tensor<49x8xf32>, tensor<2x8x16xf32>, tensor<24xf32>) -> tensor<49x24xf32> {
  ^bb0(%l: tensor<49x8xf32>, %r: tensor<2x8x16xf32>, %c: tensor<24xf32>):
    %v = nn.matmul %l, %r, %c {rhs_layout = #nn.tiled<[1, 0], 1 by 16 of 24>} : (tensor<49x8xf32>, tensor<2x8x16xf32>, tensor<24xf32>) -> tensor<49x24xf32>
    %s = nn.relu %v : (tensor<49x24xf32>) -> tensor<49x24xf32>
    nn.yield %s : tensor<49x24xf32>
  }
  func.return %y : tensor<49x24xf32>
}

// CHECK-LABEL: @matmul_relu_1
// CHECK: halide.split %out "x" to "no", "nt" by {{.*}} {tail = #halide<tail guard_with_if>}
// CHECK: halide.vectorize %out "nt"

// A near-miss: the guarded sums are vectors where the root is in another func.

func.func @norm(%x: tensor<40x24xf32>) -> tensor<1x24xf32> {
  %y = nn.kernel(%x) {config = #nn.config<plain>} : (tensor<40x24xf32>) -> tensor<1x24xf32> {
  ^bb0(%a: tensor<40x24xf32>):
    %s = nn.reduce %a {kind = #nn<reduction sum>, axes = array<i64: 0>, keepdims = true} : (tensor<40x24xf32>) -> tensor<1x24xf32>
    %r = nn.sqrt %s : (tensor<1x24xf32>) -> tensor<1x24xf32>
    nn.yield %r : tensor<1x24xf32>
  }
  func.return %y : tensor<1x24xf32>
}

// CHECK-LABEL: @reduce_sqrt_2
// CHECK: halide.split %reduce_sum "x" {{.*}}guard_with_if>, stage = 1
// CHECK-NEXT: halide.vectorize %reduce_sum "xi" {stage = 1 : i64}
