// RUN: autodeploy-opt %s --split-input-file --set-machine=machine=x86-64-avx512 --convert-nn-to-halide | filecheck %s

// 1024 products are two runs of 512, which are added to the bias.

// CHECK:      %run = halide.func "run"(x %x, y %y, krun %krun) in [4, 3, 2] : f32 {
// CHECK-NEXT:   %0 = halide.const 0.0 : f32
// CHECK:      halide.update %run({{.*}}) over (k %k in 0 to 512)
// CHECK:      %matmul = halide.func "matmul"
// CHECK-NEXT:   halide.load %in2
// CHECK:      halide.update %matmul({{.*}}) over (krun %{{.*}} in 0 to 2)

func.func @f(%x: tensor<3x1024xf32>, %w: tensor<1024x4xf32>, %b: tensor<4xf32>) -> tensor<3x4xf32> {
  %y = nn.kernel(%x, %w, %b) {config = #nn.config<plain>} : (tensor<3x1024xf32>, tensor<1024x4xf32>, tensor<4xf32>) -> tensor<3x4xf32> {
  ^bb0(%i: tensor<3x1024xf32>, %j: tensor<1024x4xf32>, %k: tensor<4xf32>):
    %r = nn.matmul %i, %j, %k : (tensor<3x1024xf32>, tensor<1024x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
    nn.yield %r : tensor<3x4xf32>
  }
  func.return %y : tensor<3x4xf32>
}

// -----

// 1297 is a prime number: the last of three runs of 433 lacks two steps, and reads nothing beyond the end for them.

// CHECK:      halide.update %run({{.*}}) over (k %k in 0 to 433)
// CHECK:        halide.lt %
// CHECK:        halide.min %
// CHECK:        halide.select %

func.func @prime(%x: tensor<3x1297xf32>, %w: tensor<1297x4xf32>) -> tensor<3x4xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<plain>} : (tensor<3x1297xf32>, tensor<1297x4xf32>) -> tensor<3x4xf32> {
  ^bb0(%i: tensor<3x1297xf32>, %j: tensor<1297x4xf32>):
    %r = nn.matmul %i, %j : (tensor<3x1297xf32>, tensor<1297x4xf32>) -> tensor<3x4xf32>
    nn.yield %r : tensor<3x4xf32>
  }
  func.return %y : tensor<3x4xf32>
}

// -----

// Near misses: 512 steps; a prime number of steps whose weights are fetched ahead; factors of 16 bits; no config.

// CHECK-NOT: "run"

func.func @short(%x: tensor<3x512xf32>, %w: tensor<512x4xf32>) -> tensor<3x4xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<plain>} : (tensor<3x512xf32>, tensor<512x4xf32>) -> tensor<3x4xf32> {
  ^bb0(%i: tensor<3x512xf32>, %j: tensor<512x4xf32>):
    %r = nn.matmul %i, %j : (tensor<3x512xf32>, tensor<512x4xf32>) -> tensor<3x4xf32>
    nn.yield %r : tensor<3x4xf32>
  }
  func.return %y : tensor<3x4xf32>
}

func.func @fetched(%x: tensor<3x1297xf32>, %w: tensor<1x1297x16xf32>) -> tensor<3x16xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<gemm, tile = [16, 3], pack = [16, 16], block = [1], fetch = [1]>} : (tensor<3x1297xf32>, tensor<1x1297x16xf32>) -> tensor<3x16xf32> {
  ^bb0(%i: tensor<3x1297xf32>, %j: tensor<1x1297x16xf32>):
    %r = nn.matmul %i, %j {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<3x1297xf32>, tensor<1x1297x16xf32>) -> tensor<3x16xf32>
    nn.yield %r : tensor<3x16xf32>
  }
  func.return %y : tensor<3x16xf32>
}

func.func @narrow(%x: tensor<3x1024xbf16>, %w: tensor<1024x4xbf16>) -> tensor<3x4xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<plain>} : (tensor<3x1024xbf16>, tensor<1024x4xbf16>) -> tensor<3x4xf32> {
  ^bb0(%i: tensor<3x1024xbf16>, %j: tensor<1024x4xbf16>):
    %r = nn.matmul %i, %j {accumulator = f32} : (tensor<3x1024xbf16>, tensor<1024x4xbf16>) -> tensor<3x4xf32>
    nn.yield %r : tensor<3x4xf32>
  }
  func.return %y : tensor<3x4xf32>
}

func.func @without_config(%x: tensor<3x1024xf32>, %w: tensor<1024x4xf32>) -> tensor<3x4xf32> {
  %y = nn.kernel(%x, %w) : (tensor<3x1024xf32>, tensor<1024x4xf32>) -> tensor<3x4xf32> {
  ^bb0(%i: tensor<3x1024xf32>, %j: tensor<1024x4xf32>):
    %r = nn.matmul %i, %j : (tensor<3x1024xf32>, tensor<1024x4xf32>) -> tensor<3x4xf32>
    nn.yield %r : tensor<3x4xf32>
  }
  func.return %y : tensor<3x4xf32>
}
