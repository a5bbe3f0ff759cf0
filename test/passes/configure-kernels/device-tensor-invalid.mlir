// RUN: not autodeploy-opt %s --set-machine=machine=x86-64:device=cuda --configure-kernels 2>&1 | filecheck %s --check-prefix=OLD
// RUN: sed 's/, products = .tf32.//' %s | not autodeploy-opt --set-machine=machine=x86-64:device=cuda-sm_80 --configure-kernels 2>&1 | filecheck %s --check-prefix=NONE
// RUN: sed 's/products = .tf32./products = [f8]/' %s | not autodeploy-opt --set-machine=machine=x86-64:device=cuda-sm_80 --configure-kernels 2>&1 | filecheck %s --check-prefix=TYPE
// RUN: sed 's/tile = .64, 64./tile = [128, 128]/' %s | not autodeploy-opt --set-machine=machine=x86-64:device=cuda-sm_80 --configure-kernels 2>&1 | filecheck %s --check-prefix=TILE
// RUN: sed 's/tensor<20x/tensor<15x/g' %s | not autodeploy-opt --set-machine=machine=x86-64:device=cuda-sm_80 --configure-kernels 2>&1 | filecheck %s --check-prefix=ROWS

// A config that does not fit the device or the kernel is refused.

func.func @f(%a: tensor<20x64xf32>, %b: tensor<64x48xf32>) -> tensor<20x48xf32> {
  %0 = nn.kernel(%a, %b) {config = #nn.config<device_tensor, tile = [64, 64], products = [tf32]>} : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32> {
  ^bb0(%i: tensor<20x64xf32>, %j: tensor<64x48xf32>):
    %r = nn.matmul %i, %j : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32>
    nn.yield %r : tensor<20x48xf32>
  }
  func.return %0 : tensor<20x48xf32>
}

// OLD: knob products of device_tensor is one of none, found {{.*}} [config_c3]
// NONE: knob products is missing, found {{.*}} [config_c5]
// TYPE: knob products of device_tensor is one of [tf32], [f16], [bf16], found {{.*}} [config_c3]
// TILE: knob tile of device_tensor is one of {{.*}} found {{.*}} [config_c3]
// ROWS: template device_tensor is not for a kernel of nn.matmul [config_c1]
