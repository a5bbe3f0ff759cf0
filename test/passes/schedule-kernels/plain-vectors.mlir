// RUN: autodeploy-opt %s --form-kernels --set-machine=machine=x86-64-avx2 --configure-kernels=plain=true --convert-nn-to-halide --schedule-kernels | filecheck %s

// A row that a further reduction reads has vectors of its own.

func.func @f(%x: tensor<4x64xf32>) -> tensor<4x1xf32> {
  %y = nn.reduce %x {kind = #nn<reduction sum>, axes = array<i64: 1>, keepdims = true} : (tensor<4x64xf32>) -> tensor<4x1xf32>
  func.return %y : tensor<4x1xf32>
}

func.func @columns(%x: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %y = nn.cumsum %x {axis = 0 : i64} : (tensor<40x8xf32>) -> tensor<40x8xf32>
  func.return %y : tensor<40x8xf32>
}

// CHECK: halide.pipeline @reduce_0
// CHECK: halide.schedule {
// CHECK-NEXT: halide.compute_at %reduce_sum_lanes at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %reduce_sum_lanes "lane" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %reduce_sum_lanes "lane" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %reduce_sum at %out "x" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: }

// CHECK: halide.pipeline @cumsum_1
// CHECK: halide.schedule {
// CHECK-NEXT: halide.split %out "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %out "xi" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_root %block : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %block "x" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %block "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %before at %out "xo" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %before "x" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %before "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %within at %out "xo" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %within "x" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %within "x" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: }
