// RUN: autodeploy-opt %s --set-machine=machine=arm-neon --apply-records=shipped=true --configure-kernels 2>&1 | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-zen4:cores=2 --apply-records=shipped=true --configure-kernels 2>&1 | filecheck %s

// Records that ship are for one thread and for a preset; other machines get no warning.

func.func @f(%x: tensor<30x64xf32>) -> tensor<30x40xf32> {
  %w = nn.constant #nn.dense<0.5 : tensor<64x40xf32>>
  %y = nn.kernel(%x, %w) : (tensor<30x64xf32>, tensor<64x40xf32>) -> tensor<30x40xf32> {
  ^bb0(%l: tensor<30x64xf32>, %r: tensor<64x40xf32>):
    %v = nn.matmul %l, %r : (tensor<30x64xf32>, tensor<64x40xf32>) -> tensor<30x40xf32>
    nn.yield %v : tensor<30x40xf32>
  }
  func.return %y : tensor<30x40xf32>
}

// CHECK-NOT: warning
// CHECK-NOT: autodeploy.records
// CHECK: config = #nn.config<gemm,
