// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --apply-records=records=%S/Inputs/records.jsonl --configure-kernels 2>&1 | filecheck %s

// A record that another version has written is not applied, and a warning says so.

func.func @f(%x: tensor<30x64xf32>, %a: tensor<30x64xf32>) -> (tensor<30x40xf32>, tensor<30x64xf32>) {
  %w = nn.constant #nn.dense<0.5 : tensor<64x40xf32>>
  %y = nn.kernel(%x, %w) : (tensor<30x64xf32>, tensor<64x40xf32>) -> tensor<30x40xf32> {
  ^bb0(%l: tensor<30x64xf32>, %r: tensor<64x40xf32>):
    %v = nn.matmul %l, %r : (tensor<30x64xf32>, tensor<64x40xf32>) -> tensor<30x40xf32>
    nn.yield %v : tensor<30x40xf32>
  }
  %z = nn.kernel(%x, %a) : (tensor<30x64xf32>, tensor<30x64xf32>) -> tensor<30x64xf32> {
  ^bb0(%l: tensor<30x64xf32>, %r: tensor<30x64xf32>):
    %v = nn.add %l, %r : (tensor<30x64xf32>, tensor<30x64xf32>) -> tensor<30x64xf32>
    nn.yield %v : tensor<30x64xf32>
  }
  func.return %y, %z : tensor<30x40xf32>, tensor<30x64xf32>
}

// CHECK: warning: records '{{.*}}records.jsonl': not applied to 1 kernel (only for another version)
// CHECK: config = #nn.config<gemm, tile = [8, 10]
// CHECK: config = #nn.config<plain, vector = [32]
