// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda --place-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda --place-kernels --configure-kernels --convert-nn-to-halide --schedule-kernels | autodeploy-opt | filecheck %s

// A thread keeps the sums of a run in registers, and adds them to the sums of a part. It reads the left-hand side of a run
// in vectors.

func.func @main(%x: tensor<256x32768xf32>, %w: tensor<32768x64xf32>) -> tensor<256x64xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<device_tile, split = [32]>} : (tensor<256x32768xf32>, tensor<32768x64xf32>) -> tensor<256x64xf32> {
  ^bb0(%i: tensor<256x32768xf32>, %j: tensor<32768x64xf32>):
    %r = nn.matmul %i, %j : (tensor<256x32768xf32>, tensor<32768x64xf32>) -> tensor<256x64xf32>
    nn.yield %r : tensor<256x64xf32>
  }
  func.return %y : tensor<256x64xf32>
}

// CHECK:      halide.update %run({{.*}}) over (k %k in 0 to 256)
// CHECK:      halide.update %part_2({{.*}}) over (krun %{{.*}} in 0 to 4)
// CHECK:      halide.compute_at %part_2 at %part_sums "xot"
// CHECK-NEXT: halide.vectorize %part_2 "x" : !halide.func<f32, 3>
// CHECK-NEXT: halide.unroll %part_2 "y" : !halide.func<f32, 3>
// CHECK-NEXT: halide.reorder %part_2 ["x", "y", "krun", "part"] {stage = 1 : i64}
// CHECK-NEXT: halide.vectorize %part_2 "x" {stage = 1 : i64}
// CHECK-NEXT: halide.unroll %part_2 "y" {stage = 1 : i64}
// CHECK-NEXT: halide.compute_at %run at %part_2 "krun"
// CHECK-NEXT: halide.vectorize %run "x" : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %run "y" : !halide.func<f32, 4>
// CHECK-NEXT: halide.split %run "k" to "ko", "ks" by 4 {stage = 1 : i64}
// CHECK:      halide.compute_at %staged at %run "ko"
// CHECK:      halide.reorder %run ["x", "y", "ks", "ko", "part", "krun"] {stage = 1 : i64}
