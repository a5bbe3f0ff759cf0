// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// All vectors of a row of a tile are one vector for the ops behind the sums; these are summed
// vector by vector.

func.func @product(%a: tensor<48x40xf32>, %b: tensor<40x96xf32>) -> tensor<48x96xf32> {
  %y = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32> {
  ^bb0(%a_: tensor<48x40xf32>, %b_: tensor<40x96xf32>):
    %v = nn.matmul %a_, %b_ : (tensor<48x40xf32>, tensor<40x96xf32>) -> tensor<48x96xf32>
    %s = nn.swish %v : (tensor<48x96xf32>) -> tensor<48x96xf32>
    nn.yield %s : tensor<48x96xf32>
  }
  func.return %y : tensor<48x96xf32>
}

// CHECK:      halide.vectorize %out "nt" by 24 : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "nt" : !halide.func<f32, 2>
// CHECK-NEXT: halide.unroll %out "mt" : !halide.func<f32, 2>
// CHECK:      halide.vectorize %matmul "x" by 8 : !halide.func<f32, 2>

func.func @conv(%x: tensor<1x8x12x16xf32>, %w: tensor<3x3x16x32xf32>) -> tensor<1x6x10x32xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<direct_conv, tile = [16, 6]>} : (tensor<1x8x12x16xf32>, tensor<3x3x16x32xf32>) -> tensor<1x6x10x32xf32> {
  ^bb0(%i: tensor<1x8x12x16xf32>, %k: tensor<3x3x16x32xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, groups = 1 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x12x16xf32>, tensor<3x3x16x32xf32>) -> tensor<1x6x10x32xf32>
    %s = nn.swish %v : (tensor<1x6x10x32xf32>) -> tensor<1x6x10x32xf32>
    nn.yield %s : tensor<1x6x10x32xf32>
  }
  func.return %y : tensor<1x6x10x32xf32>
}

// CHECK:      halide.vectorize %out "ct" by 16 : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %out "ct" : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %out "xt" : !halide.func<f32, 4>
// CHECK:      halide.vectorize %conv "c" by 8 : !halide.func<f32, 4>

func.func @depthwise(%x: tensor<1x8x12x48xf32>, %w: tensor<3x3x1x48xf32>) -> tensor<1x8x12x48xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<depthwise>} : (tensor<1x8x12x48xf32>, tensor<3x3x1x48xf32>) -> tensor<1x8x12x48xf32> {
  ^bb0(%i: tensor<1x8x12x48xf32>, %k: tensor<3x3x1x48xf32>):
    %v = nn.conv %i, %k {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, groups = 48 : i64, layout = #nn<layout channels_last>, filter_layout = #nn.tiled<[2, 3, 1, 0]>} : (tensor<1x8x12x48xf32>, tensor<3x3x1x48xf32>) -> tensor<1x8x12x48xf32>
    %s = nn.swish %v : (tensor<1x8x12x48xf32>) -> tensor<1x8x12x48xf32>
    nn.yield %s : tensor<1x8x12x48xf32>
  }
  func.return %y : tensor<1x8x12x48xf32>
}

// CHECK:      halide.vectorize %out "ct" : !halide.func<f32, 4>
// CHECK-NEXT: halide.unroll %out "xt" : !halide.func<f32, 4>
// CHECK:      halide.vectorize %conv "c" by 8 : !halide.func<f32, 4>
