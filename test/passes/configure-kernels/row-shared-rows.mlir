// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=4 --configure-kernels | filecheck %s --check-prefix=FOUR
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=1 --configure-kernels | filecheck %s --check-prefix=ONE

// Means of channels. Cores share the rows of an image, in parts that divide them and give each core as many, and a row of
// channels is then no longer shared. One core has nothing to share.
// CHECK-LABEL: func.func @rows
// CHECK:       #nn.config<row, vector = [32], vectors = [8], rows = [7], shares = [4]>
// FOUR-LABEL:  func.func @rows
// FOUR:        #nn.config<row, vector = [64], vectors = [4], rows = [2], shares = [4]>
// ONE-LABEL:   func.func @rows
// ONE:         #nn.config<row, vector = [32], vectors = [8]>
func.func @rows(%x: tensor<1x56x56x64xf32>) -> tensor<1x64xf32> {
  %y = nn.kernel(%x) : (tensor<1x56x56x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%x_: tensor<1x56x56x64xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction mean>, axes = array<i64: 1, 2>} : (tensor<1x56x56x64xf32>) -> tensor<1x64xf32>
    nn.yield %v : tensor<1x64xf32>
  }
  func.return %y : tensor<1x64xf32>
}

// Of 7 rows one core would have 3 and the other 4.
// CHECK-LABEL: func.func @uneven
// CHECK:       #nn.config<row, vector = [32], vectors = [8], rows = [], shares = [4]>
func.func @uneven(%x: tensor<1x7x56x256xf32>) -> tensor<1x256xf32> {
  %y = nn.kernel(%x) : (tensor<1x7x56x256xf32>) -> tensor<1x256xf32> {
  ^bb0(%x_: tensor<1x7x56x256xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction mean>, axes = array<i64: 1, 2>} : (tensor<1x7x56x256xf32>) -> tensor<1x256xf32>
    nn.yield %v : tensor<1x256xf32>
  }
  func.return %y : tensor<1x256xf32>
}

// Two images are shared as they are.
// CHECK-LABEL: func.func @images
// CHECK:       #nn.config<row, vector = [32], vectors = [4], rows = [], shares = [4]>
func.func @images(%x: tensor<2x56x56x64xf32>) -> tensor<2x64xf32> {
  %y = nn.kernel(%x) : (tensor<2x56x56x64xf32>) -> tensor<2x64xf32> {
  ^bb0(%x_: tensor<2x56x56x64xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction mean>, axes = array<i64: 1, 2>} : (tensor<2x56x56x64xf32>) -> tensor<2x64xf32>
    nn.yield %v : tensor<2x64xf32>
  }
  func.return %y : tensor<2x64xf32>
}

// What is too little for two cores is not cut in parts.
// CHECK-LABEL: func.func @little
// CHECK:       #nn.config<row, vector = [32], vectors = [4], rows = [], shares = [4]>
func.func @little(%x: tensor<1x14x14x64xf32>) -> tensor<1x64xf32> {
  %y = nn.kernel(%x) : (tensor<1x14x14x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%x_: tensor<1x14x14x64xf32>):
    %v = nn.reduce %x_ {kind = #nn<reduction mean>, axes = array<i64: 1, 2>} : (tensor<1x14x14x64xf32>) -> tensor<1x64xf32>
    nn.yield %v : tensor<1x64xf32>
  }
  func.return %y : tensor<1x64xf32>
}
