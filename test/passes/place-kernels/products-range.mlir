// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda-sm_80 --place-kernels=products=f16 | filecheck %s --check-prefix=F16
// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda-sm_80 --place-kernels=products=bf16 | filecheck %s --check-prefix=BF16

// A weight beyond the range of f16 would be infinite. One at its end is not.

func.func @f(%a: tensor<20x64xf32>) -> (tensor<20x48xf32>, tensor<20x48xf32>) {
  %v = nn.constant #nn.dense<-65504.0 : tensor<64x48xf32>>
  %w = nn.constant #nn.dense<-65536.0 : tensor<64x48xf32>>
  %y = nn.kernel(%a, %v) : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32> {
  ^bb0(%i: tensor<20x64xf32>, %j: tensor<64x48xf32>):
    %r = nn.matmul %i, %j : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32>
    nn.yield %r : tensor<20x48xf32>
  }
  %z = nn.kernel(%a, %w) : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32> {
  ^bb0(%i: tensor<20x64xf32>, %j: tensor<64x48xf32>):
    %r = nn.matmul %i, %j : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32>
    nn.yield %r : tensor<20x48xf32>
  }
  func.return %y, %z : tensor<20x48xf32>, tensor<20x48xf32>
}

// F16: %y = nn.kernel(%a, %v) {config = #nn.config<device_tensor, products = [f16]>}
// F16: %z = nn.kernel(%a, %w) {config = #nn.config<device_tile>}
// BF16: %y = nn.kernel(%a, %v) {config = #nn.config<device_tensor, products = [bf16]>}
// BF16: %z = nn.kernel(%a, %w) {config = #nn.config<device_tensor, products = [bf16]>}
