// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx512:cores=2 --fuse-kernels --configure-kernels --pack-weights --fold-nn-constants --convert-nn-to-halide --schedule-kernels | filecheck %s

// The softmax makes the result: its rows are cut in bands. The last tile of packed columns is filled up.
// The last band moves inwards over the one before: threads share groups of bands.

func.func @f(%x: tensor<4101x32xf32>) -> tensor<4101x137xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<32x137xf32>>
  %s = nn.matmul %x, %w : (tensor<4101x32xf32>, tensor<32x137xf32>) -> tensor<4101x137xf32>
  %y = nn.softmax %s {axis = 1 : i64} : (tensor<4101x137xf32>) -> tensor<4101x137xf32>
  func.return %y : tensor<4101x137xf32>
}

// CHECK: config<attention, bands = [54, 54, 54], parts = {{.*}}> fast_math
// CHECK: halide.compute_at %rows at %out "yo"
// CHECK: halide.bound %rows "x" from 0 extent 137
// CHECK: halide.bound_extent %rows "y" extent 54
// CHECK: halide.split %rows "x" to "no", "nt" by 48 {tail = #halide<tail guard_with_if>}
// CHECK: halide.split %rows "y" to "mo", "mt" by 6
// CHECK: halide.compute_at %matmul at %rows "mo"
// CHECK: halide.bound_extent %matmul "x" extent 48
// CHECK: halide.split %out "y" to "yo", "y" by 54 {tail = #halide<tail shift_inwards>}
// CHECK: halide.split %out "x" to "xo", "xi" by 16 {tail = #halide<tail shift_inwards>}
// CHECK: halide.compute_at %largest_lanes at %out "y"
// CHECK: halide.compute_at %power at %out "y"
// CHECK: halide.compute_at %total at %out "y"
// CHECK: halide.split %out "yo" to "yog", "yo" by 2 {tail = #halide<tail guard_with_if>}
// CHECK: halide.parallel %out "yog"
