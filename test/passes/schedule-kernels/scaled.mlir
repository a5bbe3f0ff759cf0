// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// One row sums the codes of a block as they are read. For several tiles of rows the weights of a
// tile of columns become floats first, once.

func.func @f(%x: tensor<1x32xf32>, %y: tensor<48x32xf32>, %w: tensor<3x2x8x16xui8>, %s: tensor<3x2x16xf32>, %z: tensor<3x2x16xui8>, %o: tensor<ui8>) -> (tensor<1x40xf32>, tensor<48x40xf32>) {
  %a = nn.kernel(%x, %w, %s, %z) {config = #nn.config<scaled>} : (tensor<1x32xf32>, tensor<3x2x8x16xui8>, tensor<3x2x16xf32>, tensor<3x2x16xui8>) -> tensor<1x40xf32> {
  ^bb0(%l: tensor<1x32xf32>, %c: tensor<3x2x8x16xui8>, %t: tensor<3x2x16xf32>, %p: tensor<3x2x16xui8>):
    %v = nn.scaled_matmul %l, %c, %t, %p {block = 16 : i64, columns = 40 : i64} : (tensor<1x32xf32>, tensor<3x2x8x16xui8>, tensor<3x2x16xf32>, tensor<3x2x16xui8>) -> tensor<1x40xf32>
    nn.yield %v : tensor<1x40xf32>
  }
  %b = nn.kernel(%y, %w, %s, %o) {config = #nn.config<scaled>} : (tensor<48x32xf32>, tensor<3x2x8x16xui8>, tensor<3x2x16xf32>, tensor<ui8>) -> tensor<48x40xf32> {
  ^bb0(%l: tensor<48x32xf32>, %c: tensor<3x2x8x16xui8>, %t: tensor<3x2x16xf32>, %p: tensor<ui8>):
    %v = nn.scaled_matmul %l, %c, %t, %p {block = 16 : i64, columns = 40 : i64} : (tensor<48x32xf32>, tensor<3x2x8x16xui8>, tensor<3x2x16xf32>, tensor<ui8>) -> tensor<48x40xf32>
    nn.yield %v : tensor<48x40xf32>
  }
  func.return %a, %b : tensor<1x40xf32>, tensor<48x40xf32>
}

// CHECK: halide.pipeline @scaled_matmul_0{{.*}} config<scaled, tile = [16, 1], widen = []>
// CHECK:      halide.schedule {
// CHECK-NEXT: halide.split %out "x" to "no", "nt" by 16 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %out "y" to "mo", "mt" by 1 : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %out ["nt", "mt", "mo", "no"] : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %out "nt" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "nt" : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "mt" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %matmul at %out "mo" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %matmul "x" extent 16 : !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %matmul "y" extent 1 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %matmul "x" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "x" : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "y" : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %matmul ["x", "y", "block"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %matmul "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "x" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "y" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %block_sums at %matmul "block" : !halide.func<f32, 3> at !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %block_sums "x" extent 16 : !halide.func<f32, 3>
// CHECK-NEXT: halide.bound_extent %block_sums "y" extent 1 : !halide.func<f32, 3>
// CHECK-NEXT: halide.vectorize %block_sums "x" by 8 : !halide.func<f32, 3>
// CHECK-NEXT: halide.unroll %block_sums "x" : !halide.func<f32, 3>
// CHECK-NEXT: halide.unroll %block_sums "y" : !halide.func<f32, 3>
// CHECK-NEXT: halide.reorder %block_sums ["x", "y", "byte"] {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK-NEXT: halide.vectorize %block_sums "x" by 8 {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK-NEXT: halide.unroll %block_sums "x" {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK-NEXT: halide.unroll %block_sums "y" {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK-NEXT: halide.unroll %block_sums "byte" by 4 {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK: halide.pipeline @scaled_matmul_1{{.*}} config<scaled, tile = [8, 12], widen = [1]>
// CHECK:      halide.schedule {
// CHECK-NEXT: halide.split %out "x" to "no", "nt" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %out "y" to "mo", "mt" by 12 : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %out ["nt", "mt", "mo", "no"] : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %out "nt" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "nt" : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "mt" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %weights at %out "no" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %weights "x" extent 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %weights "x" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %weights "x" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %matmul at %out "mo" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %matmul "x" extent 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.bound_extent %matmul "y" extent 12 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %matmul "x" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "x" : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "y" : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %matmul ["x", "y", "k"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %matmul "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "x" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %matmul "y" {stage = 1 : i64} : !halide.func<f32, 2>
