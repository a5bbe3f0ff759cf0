// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=1M --configure-kernels | filecheck %s

// 28 sums leave four of 32 registers, and some compilers then keep a sum in memory. Tiles of 48x7
// cost 1.04 times the arithmetic of 32x14, which is less than that risk.

func.func @others_divide_the_rows(%x: tensor<196x384xf32>) -> tensor<196x1536xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<384x1536xf32>>
  %y = nn.kernel(%x, %w) : (tensor<196x384xf32>, tensor<384x1536xf32>) -> tensor<196x1536xf32> {
  ^bb0(%l: tensor<196x384xf32>, %r: tensor<384x1536xf32>):
    %v = nn.matmul %l, %r : (tensor<196x384xf32>, tensor<384x1536xf32>) -> tensor<196x1536xf32>
    nn.yield %v : tensor<196x1536xf32>
  }
  func.return %y : tensor<196x1536xf32>
}

// CHECK: #nn.config<gemm, tile = [48, 7], pack = [16, 1536],

// Three vectors leave a third of 32 lanes empty here: 28 sums are still the best.

func.func @nothing_else_fits(%x: tensor<784x256xf32>) -> tensor<784x128xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<256x128xf32>>
  %y = nn.kernel(%x, %w) : (tensor<784x256xf32>, tensor<256x128xf32>) -> tensor<784x128xf32> {
  ^bb0(%l: tensor<784x256xf32>, %r: tensor<256x128xf32>):
    %v = nn.matmul %l, %r : (tensor<784x256xf32>, tensor<256x128xf32>) -> tensor<784x128xf32>
    nn.yield %v : tensor<784x128xf32>
  }
  func.return %y : tensor<784x128xf32>
}

// CHECK: #nn.config<gemm, tile = [32, 14], pack = [16, 128],
