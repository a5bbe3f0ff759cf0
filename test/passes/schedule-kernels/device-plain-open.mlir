// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=opencl --configure-kernels --convert-nn-to-halide --schedule-kernels --guard-open-loops --split-input-file | filecheck %s

// Loops over constant dimensions are fused; one over an open dimension is not, and shares the threads that are left.

func.func @rows(%x: tensor<8x3x10x4xf32, #nn.extents<[8, 3, d0, 4], "n", 1 to 10>>) -> tensor<8x3x10x4xf32, #nn.extents<[8, 3, d0, 4], "n", 1 to 10>> {
  %y = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<8x3x10x4xf32, #nn.extents<[8, 3, d0, 4], "n", 1 to 10>>) -> tensor<8x3x10x4xf32, #nn.extents<[8, 3, d0, 4], "n", 1 to 10>> {
  ^bb0(%i: tensor<8x3x10x4xf32, #nn.extents<[8, 3, d0, 4], "n", 1 to 10>>):
    %r = nn.relu %i : (tensor<8x3x10x4xf32, #nn.extents<[8, 3, d0, 4], "n", 1 to 10>>) -> tensor<8x3x10x4xf32, #nn.extents<[8, 3, d0, 4], "n", 1 to 10>>
    nn.yield %r : tensor<8x3x10x4xf32, #nn.extents<[8, 3, d0, 4], "n", 1 to 10>>
  }
  func.return %y : tensor<8x3x10x4xf32, #nn.extents<[8, 3, d0, 4], "n", 1 to 10>>
}

// CHECK:      halide.fuse %out "z", "w" to "z_w"
// CHECK-NEXT: halide.split %out "x" to "x_b", "x_t" by 4 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.split %out "y" to "y_b", "y_t" by 16 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.split %out "z_w" to "z_w_b", "z_w_t" by 1 {tail = #halide<tail guard_with_if>}
// CHECK-NEXT: halide.reorder %out ["x_t", "y_t", "z_w_t", "x_b", "y_b", "z_w_b"]
// CHECK:      halide.gpu_blocks %out ["x_b", "y_b", "z_w_b"]
// CHECK-NEXT: halide.gpu_threads %out ["x_t", "y_t", "z_w_t"]

// -----

// A fourth loop, and more blocks than a grid has along an axis, are in a thread.

func.func @four(%x: tensor<4x5x3x9000000xf32, #nn.extents<[d0, 5, d1, 9000000], "n", 1 to 4, "m", 1 to 3>>) -> tensor<4x5x3x9000000xf32, #nn.extents<[d0, 5, d1, 9000000], "n", 1 to 4, "m", 1 to 3>> {
  %y = nn.kernel(%x) {config = #nn.config<device_plain>} : (tensor<4x5x3x9000000xf32, #nn.extents<[d0, 5, d1, 9000000], "n", 1 to 4, "m", 1 to 3>>) -> tensor<4x5x3x9000000xf32, #nn.extents<[d0, 5, d1, 9000000], "n", 1 to 4, "m", 1 to 3>> {
  ^bb0(%i: tensor<4x5x3x9000000xf32, #nn.extents<[d0, 5, d1, 9000000], "n", 1 to 4, "m", 1 to 3>>):
    %r = nn.relu %i : (tensor<4x5x3x9000000xf32, #nn.extents<[d0, 5, d1, 9000000], "n", 1 to 4, "m", 1 to 3>>) -> tensor<4x5x3x9000000xf32, #nn.extents<[d0, 5, d1, 9000000], "n", 1 to 4, "m", 1 to 3>>
    nn.yield %r : tensor<4x5x3x9000000xf32, #nn.extents<[d0, 5, d1, 9000000], "n", 1 to 4, "m", 1 to 3>>
  }
  func.return %y : tensor<4x5x3x9000000xf32, #nn.extents<[d0, 5, d1, 9000000], "n", 1 to 4, "m", 1 to 3>>
}

// CHECK: halide.reorder %out ["w", "x_bb", "x_t", "y_t", "z_t", "x_b", "y_b", "z_b"]
// CHECK: halide.gpu_blocks %out ["x_b", "y_b", "z_b"]
// CHECK: halide.gpu_threads %out ["x_t", "y_t", "z_t"]
