// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=1M:cores=2 --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=1M:cores=2 --configure-kernels --pack-weights --fold-nn-constants --convert-nn-to-halide --schedule-kernels | filecheck %s --check-prefix=LOOPS

// The weights of the first product exceed L2, but each core fetches them while it computes rows of its own. The second
// one has too few rows for that, and the weights of the third one stay in L2.

func.func @f(%x: tensor<196x384xf32>, %l: tensor<49x384xf32>, %n: tensor<784x64xf32>) -> (tensor<196x1536xf32>, tensor<49x1536xf32>, tensor<784x192xf32>) {
  %w = nn.constant #nn.dense<1.0 : tensor<384x1536xf32>>
  %many = nn.kernel(%x, %w) : (tensor<196x384xf32>, tensor<384x1536xf32>) -> tensor<196x1536xf32> {
  ^bb0(%a: tensor<196x384xf32>, %b: tensor<384x1536xf32>):
    %v = nn.matmul %a, %b : (tensor<196x384xf32>, tensor<384x1536xf32>) -> tensor<196x1536xf32>
    nn.yield %v : tensor<196x1536xf32>
  }
  %few = nn.kernel(%l, %w) : (tensor<49x384xf32>, tensor<384x1536xf32>) -> tensor<49x1536xf32> {
  ^bb0(%a: tensor<49x384xf32>, %b: tensor<384x1536xf32>):
    %v = nn.matmul %a, %b : (tensor<49x384xf32>, tensor<384x1536xf32>) -> tensor<49x1536xf32>
    nn.yield %v : tensor<49x1536xf32>
  }
  %s = nn.constant #nn.dense<1.0 : tensor<64x192xf32>>
  %near = nn.kernel(%n, %s) : (tensor<784x64xf32>, tensor<64x192xf32>) -> tensor<784x192xf32> {
  ^bb0(%a: tensor<784x64xf32>, %b: tensor<64x192xf32>):
    %v = nn.matmul %a, %b : (tensor<784x64xf32>, tensor<64x192xf32>) -> tensor<784x192xf32>
    nn.yield %v : tensor<784x192xf32>
  }
  func.return %many, %few, %near : tensor<196x1536xf32>, tensor<49x1536xf32>, tensor<784x192xf32>
}

// CHECK: %many = {{.*}} #nn.config<gemm, tile = [48, 9], {{.*}} block = [11], parallel = [columns, blocks], group = [1], fetch = [{{[0-9]+}}]
// CHECK: %few = {{.*}} #nn.config<gemm, {{.*}} parallel = [columns], group = [1], fetch = [{{[0-9]+}}]
// CHECK: %near = {{.*}} #nn.config<gemm, {{.*}} parallel = [blocks], group = [1]

// LOOPS:      halide.split %out "mo" to "mb", "mo" by 11
// LOOPS-NEXT: halide.reorder %out ["nt", "mt", "mo", "no", "mb"]
// LOOPS-NEXT: halide.fuse %out "no", "mb" to "mb_no"
// LOOPS-NEXT: halide.partition %out "mb_no" never
// LOOPS-NEXT: halide.parallel %out "mb_no"
