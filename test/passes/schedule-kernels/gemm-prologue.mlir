// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=CORES

// A block of rows is computed before the tiles of columns that read it. Rows that are a multiple of 4096 bytes long get
// a gap of a cache line.
// Cores share blocks of rows, never columns.

func.func @f(%a: tensor<784x1024xf32>, %b: tensor<8x1024x16xf32>) -> tensor<784x128xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<784x1024xf32>, tensor<8x1024x16xf32>) -> tensor<784x128xf32> {
  ^bb0(%l: tensor<784x1024xf32>, %r: tensor<8x1024x16xf32>):
    %u = nn.relu %l : (tensor<784x1024xf32>) -> tensor<784x1024xf32>
    %v = nn.matmul %u, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<784x1024xf32>, tensor<8x1024x16xf32>) -> tensor<784x128xf32>
    nn.yield %v : tensor<784x128xf32>
  }
  func.return %y : tensor<784x128xf32>
}

// CHECK:      halide.func "prologue"
// CHECK:      halide.split %out "y" to "mo", "mt" by 8
// CHECK-NEXT: halide.split %out "mo" to "mb", "mo" by 14
// CHECK-NEXT: halide.reorder %out ["nt", "mt", "mo", "no", "mb"]
// CHECK-NEXT: halide.compute_at %prologue at %out "mb"
// CHECK-NEXT: halide.bound %prologue "x" from 0 extent 1024
// CHECK-NEXT: halide.bound_extent %prologue "y" extent 112
// CHECK-NEXT: halide.align_storage %prologue "x" to 1040
// CHECK-NEXT: halide.vectorize %prologue "x" by 16

// CORES:      halide.parallel %out "mb"
// CORES:      halide.compute_at %prologue at %out "mb"
