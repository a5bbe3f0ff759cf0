// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// Of a tile that is filled up, only a part is there to be stored.

func.func @f(%a: tensor<48x40xf32>) -> tensor<48x40xf32> {
  %b = nn.constant #nn.dense<1.0 : tensor<40x40xf32>>
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm, tile = [24, 4], pack = [8, 48], epilogue = [row]>} : (tensor<48x40xf32>, tensor<40x40xf32>) -> tensor<48x40xf32> {
  ^bb0(%a_: tensor<48x40xf32>, %b_: tensor<40x40xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<48x40xf32>, tensor<40x40xf32>) -> tensor<48x40xf32>
    %s = nn.swish %v : (tensor<48x40xf32>) -> tensor<48x40xf32>
    nn.yield %s : tensor<48x40xf32>
  }
  func.return %y : tensor<48x40xf32>
}

// CHECK: a row of a tile is taken at a time of whole tiles
