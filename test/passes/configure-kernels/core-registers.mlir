// RUN: autodeploy-opt %s --set-machine='machine=cortex-m7' --configure-kernels | filecheck %s

// Without vectors, sums of integers are in the registers of the core, which are fewer than those of
// the unit for floats.

func.func @main(%x: tensor<40x64xi8>, %w: tensor<64x64xi8>, %y: tensor<40x64xf32>, %v: tensor<64x64xf32>) -> (tensor<40x64xi32>, tensor<40x64xf32>) {
  %a = nn.kernel(%x, %w) : (tensor<40x64xi8>, tensor<64x64xi8>) -> tensor<40x64xi32> {
  ^bb0(%x_1: tensor<40x64xi8>, %w_1: tensor<64x64xi8>):
    %p = nn.matmul %x_1, %w_1 {accumulator = i32} : (tensor<40x64xi8>, tensor<64x64xi8>) -> tensor<40x64xi32>
    nn.yield %p : tensor<40x64xi32>
  }
  %b = nn.kernel(%y, %v) : (tensor<40x64xf32>, tensor<64x64xf32>) -> tensor<40x64xf32> {
  ^bb0(%y_1: tensor<40x64xf32>, %v_1: tensor<64x64xf32>):
    %q = nn.matmul %y_1, %v_1 : (tensor<40x64xf32>, tensor<64x64xf32>) -> tensor<40x64xf32>
    nn.yield %q : tensor<40x64xf32>
  }
  func.return %a, %b : tensor<40x64xi32>, tensor<40x64xf32>
}

// CHECK: #nn.config<gemm, tile = [2, 4], block = [4]>} : (tensor<40x64xi8>
// CHECK: #nn.config<gemm, tile = [4, 5], block = [4]>} : (tensor<40x64xf32>
