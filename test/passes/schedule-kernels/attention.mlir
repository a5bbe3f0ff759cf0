// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512 --fuse-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:cores=4 --fuse-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=STACK
// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:cores=5 --fuse-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=BANDS

// Scores and their softmax are computed for a band of the result, so many rows of them: products by tiles of sums, the softmax row by row.
// The result is divided by the sums of exponentials, which are computed for a band before the last product. They have memory for
// more than a tile: where the compiled kernel kept a tile of sums and these in one place, it would not keep the tile in registers.
// Cores share the heads where these are as many for each of them, else the bands of each head.

func.func @f(%q: tensor<12x500x32xf32>, %k: tensor<12x32x510xf32>, %v: tensor<12x510x40xf32>) -> tensor<12x500x40xf32> {
  %s = nn.matmul %q, %k : (tensor<12x500x32xf32>, tensor<12x32x510xf32>) -> tensor<12x500x510xf32>
  %w = nn.softmax %s {axis = 2 : i64} : (tensor<12x500x510xf32>) -> tensor<12x500x510xf32>
  %y = nn.matmul %w, %v : (tensor<12x500x510xf32>, tensor<12x510x40xf32>) -> tensor<12x500x40xf32>
  func.return %y : tensor<12x500x40xf32>
}

// CHECK: config<attention, bands = [42, 42, 42, 42], parts = {{.*}}, divide = [result]> fast_math
// CHECK: halide.compute_at %rows at %out "yo"
// CHECK: halide.bound %rows "x" from 0 extent 510
// CHECK: halide.bound_extent %rows "y" extent 42
// CHECK: halide.split %rows "x" to "no", "nt" by 64 {tail = #halide<tail shift_inwards>}
// CHECK: halide.split %rows "y" to "mo", "mt" by 6
// CHECK: halide.reorder %rows ["nt", "mt", "mo", "no", "z"]
// CHECK: halide.compute_at %matmul at %rows "mo"
// CHECK: halide.reorder %matmul ["x", "y", "k"] {stage = 1 : i64}
// CHECK: halide.compute_at %rows2 at %out "yo"
// CHECK: halide.bound %rows2 "x" from 0 extent 510
// CHECK: halide.bound_extent %rows2 "y" extent 42
// CHECK: halide.split %rows2 "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>}
// CHECK: halide.compute_at %largest_lanes at %rows2 "y"
// CHECK: halide.compute_at %largest at %rows2 "y"
// CHECK: halide.split %out "y" to "yo", "y" by 42 {tail = #halide<tail shift_inwards>}
// CHECK: halide.compute_at %share at %out "yo"
// CHECK: halide.bound_extent %share "y" extent 42
// CHECK: halide.bound_storage %share "y" extent 512
// CHECK: halide.compute_at %total_lanes at %share "y"
// CHECK: halide.compute_at %total at %share "x"
// CHECK: halide.split %out "x" to "no", "nt" by 16 {tail = #halide<tail shift_inwards>}
// CHECK: halide.split %out "y" to "mo", "mt" by 14
// CHECK: halide.reorder %out ["nt", "mt", "mo", "no", "yo", "z"]
// CHECK: halide.compute_at %matmul2 at %out "mo"
// CHECK: halide.reorder %matmul2 ["x", "y", "k"] {stage = 1 : i64}
// CHECK-NOT: halide.parallel

// STACK: halide.parallel %out "z"

// BANDS: bands = [50, 50, 50, 50]
// BANDS: halide.parallel %out "yo"
