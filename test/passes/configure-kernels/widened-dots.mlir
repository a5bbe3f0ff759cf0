// RUN: autodeploy-opt %s --set-machine='machine=cortex-m7' --configure-kernels | filecheck %s

// The DSP extension adds two products of 16 bits. Four bytes are widened to two pairs, which take
// registers that are none for sums. Two input channels are not filled up with zeros to four.

func.func @main(%x: tensor<40x64xi8>, %threex: tensor<1x6x6x3xi8>, %twox: tensor<1x6x6x2xi8>) -> (tensor<40x64xi32>, tensor<1x4x4x8xi32>, tensor<1x4x4x8xi32>) {
  %w = nn.constant #nn.dense<1 : tensor<64x64xi8>>
  %threew = nn.constant #nn.dense<1 : tensor<3x3x3x8xi8>>
  %twow = nn.constant #nn.dense<1 : tensor<3x3x2x8xi8>>
  %a = nn.kernel(%x, %w) : (tensor<40x64xi8>, tensor<64x64xi8>) -> tensor<40x64xi32> {
  ^bb0(%i: tensor<40x64xi8>, %k: tensor<64x64xi8>):
    %p = nn.matmul %i, %k {accumulator = i32} : (tensor<40x64xi8>, tensor<64x64xi8>) -> tensor<40x64xi32>
    nn.yield %p : tensor<40x64xi32>
  }
  %three = nn.kernel(%threex, %threew) : (tensor<1x6x6x3xi8>, tensor<3x3x3x8xi8>) -> tensor<1x4x4x8xi32> {
  ^bb0(%i: tensor<1x6x6x3xi8>, %k: tensor<3x3x3x8xi8>):
    %v = nn.conv %i, %k {layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x6x6x3xi8>, tensor<3x3x3x8xi8>) -> tensor<1x4x4x8xi32>
    nn.yield %v : tensor<1x4x4x8xi32>
  }
  %two = nn.kernel(%twox, %twow) : (tensor<1x6x6x2xi8>, tensor<3x3x2x8xi8>) -> tensor<1x4x4x8xi32> {
  ^bb0(%i: tensor<1x6x6x2xi8>, %k: tensor<3x3x2x8xi8>):
    %v = nn.conv %i, %k {layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>, accumulator = i32} : (tensor<1x6x6x2xi8>, tensor<3x3x2x8xi8>) -> tensor<1x4x4x8xi32>
    nn.yield %v : tensor<1x4x4x8xi32>
  }
  func.return %a, %three, %two : tensor<40x64xi32>, tensor<1x4x4x8xi32>, tensor<1x4x4x8xi32>
}

// CHECK:      %a = nn.kernel{{.*}}#nn.config<gemm, tile = [2, 2], pack = [1, 64], dot = [4], block = [4]>
// CHECK:      %three = nn.kernel{{.*}}#nn.config<direct_conv, tile = [2, 2], pack = [2], {{.*}}, dot = [4],
// CHECK:      %two = nn.kernel{{.*}}#nn.config<direct_conv, tile = [2, 4], pack = [2], order = [x, c, y], unroll = [2]>
