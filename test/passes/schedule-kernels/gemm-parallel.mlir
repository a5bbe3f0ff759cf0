// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx512:cores=2 --configure-kernels --convert-nn-to-halide --schedule-kernels | filecheck %s

// What cores share: the stack where it divides evenly, else tiles of columns or blocks of rows.

func.func @f(%s: tensor<1x12x64x64xf32>, %t: tensor<1x12x64x64xf32>, %a: tensor<49x512xf32>, %b: tensor<64x512x16xf32>, %c: tensor<784x64xf32>, %d: tensor<3x64x16xf32>) -> (tensor<1x12x64x64xf32>, tensor<49x1024xf32>, tensor<784x48xf32>) {
  %stack = nn.kernel(%s, %t) {config = #nn.config<gemm>} : (tensor<1x12x64x64xf32>, tensor<1x12x64x64xf32>) -> tensor<1x12x64x64xf32> {
  ^bb0(%l: tensor<1x12x64x64xf32>, %r: tensor<1x12x64x64xf32>):
    %v = nn.matmul %l, %r : (tensor<1x12x64x64xf32>, tensor<1x12x64x64xf32>) -> tensor<1x12x64x64xf32>
    nn.yield %v : tensor<1x12x64x64xf32>
  }
  %columns = nn.kernel(%a, %b) {config = #nn.config<gemm>} : (tensor<49x512xf32>, tensor<64x512x16xf32>) -> tensor<49x1024xf32> {
  ^bb0(%l: tensor<49x512xf32>, %r: tensor<64x512x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<49x512xf32>, tensor<64x512x16xf32>) -> tensor<49x1024xf32>
    nn.yield %v : tensor<49x1024xf32>
  }
  %rows = nn.kernel(%c, %d) {config = #nn.config<gemm>} : (tensor<784x64xf32>, tensor<3x64x16xf32>) -> tensor<784x48xf32> {
  ^bb0(%l: tensor<784x64xf32>, %r: tensor<3x64x16xf32>):
    %v = nn.matmul %l, %r {rhs_layout = #nn.tiled<[1, 0], 1 by 16>} : (tensor<784x64xf32>, tensor<3x64x16xf32>) -> tensor<784x48xf32>
    nn.yield %v : tensor<784x48xf32>
  }
  func.return %stack, %columns, %rows : tensor<1x12x64x64xf32>, tensor<49x1024xf32>, tensor<784x48xf32>
}

// CHECK: halide.parallel %out "z" : !halide.func<f32, 4>
// CHECK: halide.parallel %out "no" : !halide.func<f32, 2>
// CHECK: halide.parallel %out "mb" : !halide.func<f32, 2>
