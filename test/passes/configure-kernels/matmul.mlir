// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels | filecheck %s

// A product with one row is a GEMV, also in a batch; one column alone makes none.

func.func @f(%row: tensor<1x8xf32>, %rows: tensor<2x8xf32>, %rowb: tensor<3x1x8xf32>, %m: tensor<8x5xf32>, %column: tensor<8x1xf32>) -> (tensor<1x5xf32>, tensor<2x5xf32>, tensor<3x1x5xf32>, tensor<2x1xf32>) {
  %gemv = nn.kernel(%row, %m) : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32> {
  ^bb0(%l: tensor<1x8xf32>, %r: tensor<8x5xf32>):
    %v = nn.matmul %l, %r : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32>
    nn.yield %v : tensor<1x5xf32>
  }
  %gemm = nn.kernel(%rows, %m) : (tensor<2x8xf32>, tensor<8x5xf32>) -> tensor<2x5xf32> {
  ^bb0(%l: tensor<2x8xf32>, %r: tensor<8x5xf32>):
    %v = nn.matmul %l, %r : (tensor<2x8xf32>, tensor<8x5xf32>) -> tensor<2x5xf32>
    nn.yield %v : tensor<2x5xf32>
  }
  %batch = nn.kernel(%rowb, %m) : (tensor<3x1x8xf32>, tensor<8x5xf32>) -> tensor<3x1x5xf32> {
  ^bb0(%l: tensor<3x1x8xf32>, %r: tensor<8x5xf32>):
    %v = nn.matmul %l, %r : (tensor<3x1x8xf32>, tensor<8x5xf32>) -> tensor<3x1x5xf32>
    nn.yield %v : tensor<3x1x5xf32>
  }
  %matrix_column = nn.kernel(%rows, %column) : (tensor<2x8xf32>, tensor<8x1xf32>) -> tensor<2x1xf32> {
  ^bb0(%l: tensor<2x8xf32>, %r: tensor<8x1xf32>):
    %v = nn.matmul %l, %r : (tensor<2x8xf32>, tensor<8x1xf32>) -> tensor<2x1xf32>
    nn.yield %v : tensor<2x1xf32>
  }
  func.return %gemv, %gemm, %batch, %matrix_column : tensor<1x5xf32>, tensor<2x5xf32>, tensor<3x1x5xf32>, tensor<2x1xf32>
}

// CHECK:        %gemv = nn.kernel(%row, %m) {config = #nn.config<gemv{{.*}}>} : (tensor<1x8xf32>, tensor<8x5xf32>) -> tensor<1x5xf32> {
// CHECK:        %gemm = nn.kernel(%rows, %m) {config = #nn.config<gemm{{.*}}>} : (tensor<2x8xf32>, tensor<8x5xf32>) -> tensor<2x5xf32> {
// CHECK:        %batch = nn.kernel(%rowb, %m) {config = #nn.config<gemv{{.*}}>} : (tensor<3x1x8xf32>, tensor<8x5xf32>) -> tensor<3x1x5xf32> {
// CHECK:        %matrix_column = nn.kernel(%rows, %column) {config = #nn.config<gemm{{.*}}>} : (tensor<2x8xf32>, tensor<8x1xf32>) -> tensor<2x1xf32> {
