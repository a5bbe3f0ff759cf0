// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=2:parallel_work=1 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=THREADS

// A long sum has a part for each row of the image, over its columns. Of two vectors of channels, four rows are summed side by
// side. Two cores have a vector each.

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

// THREADS:    config<row, vector = [64], vectors = [1], shares = [{{.*}}]>
// THREADS:    halide.parallel %out "xo"
