// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=1M --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:l2=32M --configure-kernels | filecheck %s --check-prefix=NEAR

// Around a prefetch, up to 128 multiply-adds of vectors are unrolled: of 8 steps of a tile of 48x8,
// which are 192, only 4. Around two they are up to 64: of 8 steps of a tile of 48x9, only 2.

func.func @few(%x: tensor<384x768xf32>) -> tensor<384x3072xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<768x3072xf32>>
  %y = nn.kernel(%x, %w) : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32> {
  ^bb0(%l: tensor<384x768xf32>, %r: tensor<768x3072xf32>):
    %v = nn.matmul %l, %r : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32>
    nn.yield %v : tensor<384x3072xf32>
  }
  func.return %y : tensor<384x3072xf32>
}

// CHECK: #nn.config<gemm, tile = [48, 8], {{.*}} fetch = [8, rhs], unroll = [4]
// NEAR:  fetch = [], unroll = []

func.func @two(%x: tensor<784x768xf32>, %s: tensor<784x192xf32>) -> tensor<784x192xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<768x192xf32>>
  %y = nn.kernel(%x, %w, %s) : (tensor<784x768xf32>, tensor<768x192xf32>, tensor<784x192xf32>) -> tensor<784x192xf32> {
  ^bb0(%l: tensor<784x768xf32>, %r: tensor<768x192xf32>, %t: tensor<784x192xf32>):
    %v = nn.matmul %l, %r : (tensor<784x768xf32>, tensor<768x192xf32>) -> tensor<784x192xf32>
    %u = nn.add %v, %t : (tensor<784x192xf32>, tensor<784x192xf32>) -> tensor<784x192xf32>
    nn.yield %u : tensor<784x192xf32>
  }
  func.return %y : tensor<784x192xf32>
}

// CHECK: #nn.config<gemm, tile = [48, 9], {{.*}} fetch = [8, rhs, addend], unroll = [2]

// 28 sums leave no registers for a loop within the loop of prefetches: all steps are unrolled. There are few, and lines
// are fetched more often.

func.func @crowded(%x: tensor<784x512xf32>) -> tensor<784x256xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<512x256xf32>>
  %y = nn.kernel(%x, %w) : (tensor<784x512xf32>, tensor<512x256xf32>) -> tensor<784x256xf32> {
  ^bb0(%l: tensor<784x512xf32>, %r: tensor<512x256xf32>):
    %v = nn.matmul %l, %r : (tensor<784x512xf32>, tensor<512x256xf32>) -> tensor<784x256xf32>
    nn.yield %v : tensor<784x256xf32>
  }
  func.return %y : tensor<784x256xf32>
}

// CHECK: #nn.config<gemm, tile = [32, 14], {{.*}} fetch = [2, rhs], unroll = [2]

// A config may say another number.

func.func @chosen(%x: tensor<384x768xf32>) -> tensor<384x3072xf32> {
  %w = nn.constant #nn.dense<1.0 : tensor<768x3072xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<gemm, tile = [48, 8], fetch = [4, rhs], unroll = [1]>} : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32> {
  ^bb0(%l: tensor<384x768xf32>, %r: tensor<768x3072xf32>):
    %v = nn.matmul %l, %r : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32>
    nn.yield %v : tensor<384x3072xf32>
  }
  func.return %y : tensor<384x3072xf32>
}

// CHECK: #nn.config<gemm, tile = [48, 8], {{.*}} fetch = [4, rhs], unroll = [1]
