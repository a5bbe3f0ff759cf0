// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2:cores=2 --configure-kernels=winograd=true | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels=winograd=true | filecheck %s --check-prefix=ONE

// Cores have blocks of rows of their own, or columns where one of them would have more rows than the other. Near
// misses, which pay for one core: few columns or rows for the sums that each core makes for its columns.

func.func @f(%x_rows: tensor<384x768xf32>, %x_columns: tensor<49x1024xf32>, %x_few_columns: tensor<196x320xf32>, %x_few_rows: tensor<49x768xf32>) -> (tensor<384x3072xf32>, tensor<49x2048xf32>, tensor<196x320xf32>, tensor<49x768xf32>) {
  %w_rows = nn.constant #nn.dense<0.5 : tensor<768x3072xf32>>
  %rows = nn.kernel(%x_rows, %w_rows) : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32> {
  ^bb0(%x_: tensor<384x768xf32>, %w_: tensor<768x3072xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<384x768xf32>, tensor<768x3072xf32>) -> tensor<384x3072xf32>
    nn.yield %v : tensor<384x3072xf32>
  }
  %w_columns = nn.constant #nn.dense<0.5 : tensor<1024x2048xf32>>
  %columns = nn.kernel(%x_columns, %w_columns) : (tensor<49x1024xf32>, tensor<1024x2048xf32>) -> tensor<49x2048xf32> {
  ^bb0(%x_: tensor<49x1024xf32>, %w_: tensor<1024x2048xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<49x1024xf32>, tensor<1024x2048xf32>) -> tensor<49x2048xf32>
    nn.yield %v : tensor<49x2048xf32>
  }
  %w_few_columns = nn.constant #nn.dense<0.5 : tensor<320x320xf32>>
  %few_columns = nn.kernel(%x_few_columns, %w_few_columns) : (tensor<196x320xf32>, tensor<320x320xf32>) -> tensor<196x320xf32> {
  ^bb0(%x_: tensor<196x320xf32>, %w_: tensor<320x320xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<196x320xf32>, tensor<320x320xf32>) -> tensor<196x320xf32>
    nn.yield %v : tensor<196x320xf32>
  }
  %w_few_rows = nn.constant #nn.dense<0.5 : tensor<768x768xf32>>
  %few_rows = nn.kernel(%x_few_rows, %w_few_rows) : (tensor<49x768xf32>, tensor<768x768xf32>) -> tensor<49x768xf32> {
  ^bb0(%x_: tensor<49x768xf32>, %w_: tensor<768x768xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<49x768xf32>, tensor<768x768xf32>) -> tensor<49x768xf32>
    nn.yield %v : tensor<49x768xf32>
  }
  func.return %rows, %columns, %few_columns, %few_rows : tensor<384x3072xf32>, tensor<49x2048xf32>, tensor<196x320xf32>, tensor<49x768xf32>
}

// CHECK: %rows = nn.kernel({{.*}}) {config = #nn.config<strassen, parts = [4, 4], tile = [16, 6], block = [2], fetch = [2], parallel = [blocks], group = [1]>}
// CHECK: %columns = nn.kernel({{.*}}) {config = #nn.config<strassen, parts = [2, 2], tile = [16, 5], block = [5], fetch = [4], parallel = [blocks, columns], group = [32]>}
// CHECK: %few_columns = nn.kernel({{.*}}) {config = #nn.config<gemm
// CHECK: %few_rows = nn.kernel({{.*}}) {config = #nn.config<gemm

// ONE-COUNT-4: config = #nn.config<strassen, {{.*}}fetch = [{{[0-9]}}]>
// ONE-NOT:     config = #nn.config<gemm
