// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda-sm_80 --place-kernels=products=tf32 | filecheck %s --check-prefixes=CHECK,TF32
// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda-sm_120 --place-kernels=products=bf16 | filecheck %s --check-prefixes=CHECK,BF16
// RUN: autodeploy-opt %s --set-machine=machine=x86-64:device=cuda-sm_80 --place-kernels | filecheck %s --check-prefix=FLOATS

// Tensor cores multiply matrices, stacks of them, and images with filters, where factors may be rounded. Other kernels
// stay as they are, and so do all without the option.

func.func @f(%a: tensor<20x64xf32>, %b: tensor<64x48xf32>, %c: tensor<2x3x17x40xf32>, %d: tensor<2x3x19x40xf32>, %x: tensor<1x9x9x16xf32>, %w: tensor<3x3x16x32xf32>) -> (tensor<20x48xf32>, tensor<2x3x17x19xf32>, tensor<1x9x9x32xf32>) {
  %0 = nn.kernel(%a, %b) : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32> {
  ^bb0(%i: tensor<20x64xf32>, %j: tensor<64x48xf32>):
    %r = nn.matmul %i, %j : (tensor<20x64xf32>, tensor<64x48xf32>) -> tensor<20x48xf32>
    %s = nn.relu %r : (tensor<20x48xf32>) -> tensor<20x48xf32>
    nn.yield %s : tensor<20x48xf32>
  }
  %1 = nn.kernel(%c, %d) : (tensor<2x3x17x40xf32>, tensor<2x3x19x40xf32>) -> tensor<2x3x17x19xf32> {
  ^bb0(%i: tensor<2x3x17x40xf32>, %j: tensor<2x3x19x40xf32>):
    %r = nn.matmul %i, %j {transpose_rhs = true} : (tensor<2x3x17x40xf32>, tensor<2x3x19x40xf32>) -> tensor<2x3x17x19xf32>
    nn.yield %r : tensor<2x3x17x19xf32>
  }
  %2 = nn.kernel(%x, %w) : (tensor<1x9x9x16xf32>, tensor<3x3x16x32xf32>) -> tensor<1x9x9x32xf32> {
  ^bb0(%i: tensor<1x9x9x16xf32>, %j: tensor<3x3x16x32xf32>):
    %r = nn.conv %i, %j {pads = array<i64: 1, 1, 1, 1>, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x9x9x16xf32>, tensor<3x3x16x32xf32>) -> tensor<1x9x9x32xf32>
    nn.yield %r : tensor<1x9x9x32xf32>
  }
  %3 = nn.kernel(%0) : (tensor<20x48xf32>) -> tensor<20x48xf32> {
  ^bb0(%i: tensor<20x48xf32>):
    %r = nn.exp %i : (tensor<20x48xf32>) -> tensor<20x48xf32>
    nn.yield %r : tensor<20x48xf32>
  }
  func.return %3, %1, %2 : tensor<20x48xf32>, tensor<2x3x17x19xf32>, tensor<1x9x9x32xf32>
}

// TF32-COUNT-3: {config = #nn.config<device_tensor, products = [tf32]>}
// BF16-COUNT-3: {config = #nn.config<device_tensor, products = [bf16]>}
// CHECK: {config = #nn.config<device_plain>}
// FLOATS-COUNT-3: {config = #nn.config<device_tile>}
// FLOATS: {config = #nn.config<device_plain>}
