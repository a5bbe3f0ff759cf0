// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --configure-kernels=plain=true --convert-nn-to-halide --schedule-kernels | filecheck %s

// What is reduced is computed around each loop in which it stays the same, and nowhere twice.

func.func @middle_axis(%x: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %y = nn.softmax %x {axis = 1 : i64} : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  func.return %y : tensor<2x8x16xf32>
}

func.func @row(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %y = nn.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.5 : f64} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}

func.func @whole(%x: tensor<4x8xf32>, %s: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = nn.layer_norm %x, %s {axis = 0 : i64, epsilon = 0.5 : f64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}

// CHECK: halide.pipeline @softmax_0
// CHECK: halide.schedule {
// CHECK-NEXT: halide.split %out "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 3>
// CHECK-NEXT: halide.vectorize %out "xi" : !halide.func<f32, 3>
// CHECK-NEXT: halide.compute_at %largest at %out "z" : !halide.func<f32, 3> at !halide.func<f32, 3>
// CHECK-NEXT: halide.vectorize %largest "x" by 8 : !halide.func<f32, 3>
// CHECK-NEXT: halide.vectorize %largest "x" by 8 {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK-NEXT: halide.compute_at %total at %out "z" : !halide.func<f32, 3> at !halide.func<f32, 3>
// CHECK-NEXT: halide.vectorize %total "x" by 8 : !halide.func<f32, 3>
// CHECK-NEXT: halide.vectorize %total "x" by 8 {stage = 1 : i64} : !halide.func<f32, 3>
// CHECK-NEXT: }

// CHECK: halide.pipeline @layer_norm_1
// CHECK: halide.schedule {
// CHECK-NEXT: halide.split %out "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %out "xi" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %total at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %spread at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: }

// CHECK: halide.pipeline @layer_norm_2
// CHECK: halide.schedule {
// CHECK-NEXT: halide.split %out "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %out "xi" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_root %total_rows : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %total_rows "x" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %total_rows "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_root %total : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_root %spread_rows : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %spread_rows "x" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %spread_rows "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_root %spread : !halide.func<f32, 2>
// CHECK-NEXT: }
