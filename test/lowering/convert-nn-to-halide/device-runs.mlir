// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64:device=opencl --place-kernels --configure-kernels --convert-nn-to-halide | filecheck %s
// RUN: autodeploy-opt %s --split-input-file --convert-nn-to-halide | filecheck %s --check-prefix=HOST

// A device adds up at most 256 products one after another: a window of 3 times 3 times 64 channels is 3 runs of 192.

// HOST-NOT: "run"

// CHECK:      %run = halide.func "run"(x %x, y %y, c %c, n %n, kyrun %kyrun) in [5, 5, 4, 1, 3] : f32 {
// CHECK-NEXT:   %0 = halide.const 0.0 : f32
// CHECK:      halide.update %run(x %x_1, y %y_1, c %c_1, n %n_1, kyrun %kyrun_1) over (ci %ci in 0 to 64, kx %kx in 0 to 3)
// CHECK:      %conv = halide.func "conv"
// CHECK:      halide.update %conv({{.*}}) over (kyrun %{{.*}} in 0 to 3)

func.func @conv(%x: tensor<1x64x7x7xf32>, %w: tensor<4x64x3x3xf32>) -> tensor<1x4x5x5xf32> {
  %y = nn.kernel(%x, %w) : (tensor<1x64x7x7xf32>, tensor<4x64x3x3xf32>) -> tensor<1x4x5x5xf32> {
  ^bb0(%i: tensor<1x64x7x7xf32>, %j: tensor<4x64x3x3xf32>):
    %r = nn.conv %i, %j : (tensor<1x64x7x7xf32>, tensor<4x64x3x3xf32>) -> tensor<1x4x5x5xf32>
    nn.yield %r : tensor<1x4x5x5xf32>
  }
  func.return %y : tensor<1x4x5x5xf32>
}

// -----

// 1297 has no divisor: 217 steps six times, without five after the last one.

// CHECK:      %run = halide.func "run"(x %x, y %y, krun %krun) in [4, 3, 6] : f32 {
// CHECK:      halide.update %run({{.*}}) over (k %k in 0 to 217)
// CHECK:        halide.select %

func.func @prime(%x: tensor<3x1297xf32>, %w: tensor<1297x4xf32>) -> tensor<3x4xf32> {
  %y = nn.kernel(%x, %w) : (tensor<3x1297xf32>, tensor<1297x4xf32>) -> tensor<3x4xf32> {
  ^bb0(%i: tensor<3x1297xf32>, %j: tensor<1297x4xf32>):
    %r = nn.matmul %i, %j : (tensor<3x1297xf32>, tensor<1297x4xf32>) -> tensor<3x4xf32>
    nn.yield %r : tensor<3x4xf32>
  }
  func.return %y : tensor<3x4xf32>
}

// -----

// Near misses: 256 steps, and integers.

// CHECK-NOT: "run"

func.func @short(%x: tensor<3x256xf32>, %w: tensor<256x4xf32>) -> tensor<3x4xf32> {
  %y = nn.kernel(%x, %w) : (tensor<3x256xf32>, tensor<256x4xf32>) -> tensor<3x4xf32> {
  ^bb0(%i: tensor<3x256xf32>, %j: tensor<256x4xf32>):
    %r = nn.matmul %i, %j : (tensor<3x256xf32>, tensor<256x4xf32>) -> tensor<3x4xf32>
    nn.yield %r : tensor<3x4xf32>
  }
  func.return %y : tensor<3x4xf32>
}

func.func @integers(%x: tensor<3x512xi32>, %w: tensor<512x4xi32>) -> tensor<3x4xi32> {
  %y = nn.kernel(%x, %w) : (tensor<3x512xi32>, tensor<512x4xi32>) -> tensor<3x4xi32> {
  ^bb0(%i: tensor<3x512xi32>, %j: tensor<512x4xi32>):
    %r = nn.matmul %i, %j : (tensor<3x512xi32>, tensor<512x4xi32>) -> tensor<3x4xi32>
    nn.yield %r : tensor<3x4xi32>
  }
  func.return %y : tensor<3x4xi32>
}
