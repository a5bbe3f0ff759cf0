// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels=winograd=true | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s --check-prefix=OTHER
// RUN: autodeploy-opt %s --set-machine=machine=aarch64-neon --configure-kernels=winograd=true | filecheck %s --check-prefix=OTHER

// Products that share their weights among enough rows: 26 products of sixteenths and eighths in place of 32,
// or seven of quarters in place of eight. Not where that is not allowed, or where weights do not come while products are computed.

func.func @f(%x_whole: tensor<1x384x768xf32>, %x_odd: tensor<197x384xf32>, %x_pixels: tensor<784x512xf32>) -> (tensor<1x384x3072xf32>, tensor<197x384xf32>, tensor<784x256xf32>) {
  %w_whole = nn.constant #nn.dense<0.5 : tensor<768x3072xf32>>
  %whole = nn.kernel(%x_whole, %w_whole) : (tensor<1x384x768xf32>, tensor<768x3072xf32>) -> tensor<1x384x3072xf32> {
  ^bb0(%x_: tensor<1x384x768xf32>, %w_: tensor<768x3072xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<1x384x768xf32>, tensor<768x3072xf32>) -> tensor<1x384x3072xf32>
    nn.yield %v : tensor<1x384x3072xf32>
  }
  %w_odd = nn.constant #nn.dense<0.5 : tensor<384x384xf32>>
  %odd = nn.kernel(%x_odd, %w_odd) : (tensor<197x384xf32>, tensor<384x384xf32>) -> tensor<197x384xf32> {
  ^bb0(%x_: tensor<197x384xf32>, %w_: tensor<384x384xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<197x384xf32>, tensor<384x384xf32>) -> tensor<197x384xf32>
    nn.yield %v : tensor<197x384xf32>
  }
  %w_pixels = nn.constant #nn.dense<0.5 : tensor<512x256xf32>>
  %pixels = nn.kernel(%x_pixels, %w_pixels) : (tensor<784x512xf32>, tensor<512x256xf32>) -> tensor<784x256xf32> {
  ^bb0(%x_: tensor<784x512xf32>, %w_: tensor<512x256xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<784x512xf32>, tensor<512x256xf32>) -> tensor<784x256xf32>
    nn.yield %v : tensor<784x256xf32>
  }
  func.return %whole, %odd, %pixels : tensor<1x384x3072xf32>, tensor<197x384xf32>, tensor<784x256xf32>
}

// CHECK: %whole = nn.kernel({{.*}}) {config = #nn.config<strassen, parts = [4, 4], tile = [16, 6], block = [2], fetch = [2]>}
// CHECK: %odd = nn.kernel({{.*}}) {config = #nn.config<strassen, parts = [2, 2], {{.*}}>}
// CHECK: %pixels = nn.kernel({{.*}}) {config = #nn.config<strassen, parts = [2, 2], {{.*}}>}

// OTHER-COUNT-3: config = #nn.config<gemm
// OTHER-NOT:     strassen
