// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels 2>&1 | filecheck %s

// A tile is no longer than a row.

func.func @f(%x: tensor<1x5x12x24xf32>) -> tensor<1x5x12x24xf32> {
  %y = nn.kernel(%x) {config = #nn.config<lrn, tile = [13]>} : (tensor<1x5x12x24xf32>) -> tensor<1x5x12x24xf32> {
  ^bb0(%i: tensor<1x5x12x24xf32>):
    %v = nn.lrn %i {size = 5 : i64, alpha = 2.0 : f64, beta = 0.75 : f64, bias = 1.0 : f64, layout = #nn<layout channels_last>} : (tensor<1x5x12x24xf32>) -> tensor<1x5x12x24xf32>
    nn.yield %v : tensor<1x5x12x24xf32>
  }
  func.return %y : tensor<1x5x12x24xf32>
}

// CHECK: error: 'nn.kernel' op knob tile of lrn is one of [1] to [12], found #nn.config<lrn, tile = [13]>
