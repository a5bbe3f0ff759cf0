// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=2:parallel_work=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=THREADS

// A long sum has a part for each row of the image, over its columns. Of two vectors of channels, four rows are summed side by
// side. Two cores share the rows, five at a time: each sums those up in memory of its own, and one core adds up the parts.

func.func @f(%x: tensor<1x40x50x32xf32>) -> tensor<1x32xf32> {
  %y = nn.kernel(%x) : (tensor<1x40x50x32xf32>) -> tensor<1x32xf32> {
  ^bb0(%x_: tensor<1x40x50x32xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction mean>, axes = array<i64: 1, 2>} : (tensor<1x40x50x32xf32>) -> tensor<1x32xf32>
    nn.yield %v : tensor<1x32xf32>
  }
  func.return %y : tensor<1x32xf32>
}

// CHECK:      config<row, vector = [64], vectors = [2]>
// CHECK:      halide.update %reduce_mean_parts(x %{{.*}}, y %{{.*}}, z %{{.*}}, w %{{.*}}) over (r2 %{{.*}} in 0 to 50)
// CHECK:      halide.split %reduce_mean_parts "z" to "zo", "zi" by 4 {stage = 1 : i64}
// CHECK-NEXT: halide.reorder %reduce_mean_parts ["xi", "xo", "zi", "r2", "y", "zo", "w"] {stage = 1 : i64}
// CHECK-NEXT: halide.unroll %reduce_mean_parts "zi" {stage = 1 : i64}
// CHECK:      halide.reorder %reduce_mean ["xi", "xo", "r1", "y", "z", "w"] {stage = 1 : i64}

// THREADS:     config<row, vector = [64], vectors = [2], rows = [5], shares = [{{.*}}]>
// THREADS:     halide.update %reduce_mean_blocks_rows({{.*}}) over (r3 %{{.*}} in 0 to 50)
// THREADS:     halide.update %reduce_mean_blocks({{.*}}) over (r2 %{{.*}} in 0 to 5)
// THREADS:     %reduce_mean_shares = halide.func "reduce_mean_shares"({{.*}}) in [32, 1, 1, 8, 1]
// THREADS:     halide.update %reduce_mean({{.*}}) over (r1 %{{.*}} in 0 to 8)
// THREADS:     halide.compute_root %reduce_mean_shares
// THREADS:     halide.parallel %reduce_mean_shares "w"
// THREADS-DAG: halide.compute_at %reduce_mean_blocks_rows at %reduce_mean_shares "xo"
// THREADS-DAG: halide.compute_at %reduce_mean_blocks at %reduce_mean_shares "xo"
// THREADS-DAG: halide.compute_at %reduce_mean at %out "xo"
// THREADS-NOT: halide.parallel
