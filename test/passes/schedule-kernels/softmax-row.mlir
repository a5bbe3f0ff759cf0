// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// What a row needs is computed once a row.

func.func @f(%x: tensor<4x100xf32>) -> tensor<4x100xf32> {
  %y = nn.kernel(%x) {config = #nn.config<row>} : (tensor<4x100xf32>) -> tensor<4x100xf32> {
  ^bb0(%x_: tensor<4x100xf32>):
    %v = nn.softmax %x_ {axis = 1 : i64} : (tensor<4x100xf32>) -> tensor<4x100xf32>
    nn.yield %v : tensor<4x100xf32>
  }
  func.return %y : tensor<4x100xf32>
}

// CHECK: halide.pipeline @softmax_0
// CHECK: halide.schedule {
// CHECK-NEXT: halide.split %out "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %out "xi" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %largest_lanes at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.split %largest_lanes "lane" to "laneo", "lanei" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %largest_lanes "lanei" : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %largest_lanes "laneo" : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %largest_lanes "lane" to "laneo", "lanei" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %largest_lanes "lanei" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %largest_lanes "laneo" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %largest_lanes ["lanei", "laneo", "block"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %largest at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %power at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.split %power "x" to "xo", "xi" by 8 {tail = #halide<tail shift_inwards>} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %power "xi" : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %total_lanes at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.split %total_lanes "lane" to "laneo", "lanei" by 8 : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %total_lanes "lanei" : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %total_lanes "laneo" : !halide.func<f32, 2>
// CHECK-NEXT: halide.split %total_lanes "lane" to "laneo", "lanei" by 8 {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.vectorize %total_lanes "lanei" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %total_lanes "laneo" {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.reorder %total_lanes ["lanei", "laneo", "block"] {stage = 1 : i64} : !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %total at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: halide.compute_at %share at %out "y" : !halide.func<f32, 2> at !halide.func<f32, 2>
// CHECK-NEXT: }
