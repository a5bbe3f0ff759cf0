// RUN: autodeploy-opt %s --set-machine=machine=x86-64-sapphirerapids --configure-kernels | filecheck %s
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-sapphirerapids:amx_rate=1 --configure-kernels | filecheck %s --check-prefix=NONE
// RUN: autodeploy-opt %s --set-machine=machine=x86-64-zen4 --configure-kernels | filecheck %s --check-prefix=NONE

// Tile registers hold sums of 16 rows or more, of products with constant weights. Columns are filled up, and with a
// multiple of 256 of them there are 16 more.

// CHECK:     func.func @one_panel
// CHECK:     config = #nn.config<amx, tile = [32, 64], pack = [32, 32], dot = [4]>
// CHECK:     func.func @filled_up
// CHECK:     config = #nn.config<amx, tile = [48, 48], pack = [96, 96], dot = [4]>
// CHECK:     func.func @apart
// CHECK:     config = #nn.config<amx, tile = [64, 64], pack = [528, 528], dot = [4]>
// CHECK:     func.func @few_rows
// CHECK:     config = #nn.config<gemm,
// CHECK:     func.func @few_steps
// CHECK:     config = #nn.config<gemm,
// CHECK:     func.func @other_signs
// CHECK:     config = #nn.config<gemm,
// CHECK:     func.func @computed
// CHECK:     config = #nn.config<gemm,

// NONE-NOT: #nn.config<amx

func.func @one_panel(%x: tensor<16x64xui8>) -> tensor<16x32xi32> {
  %w = nn.constant #nn.dense<1 : tensor<64x32xi8>>
  %y = nn.kernel(%x, %w) : (tensor<16x64xui8>, tensor<64x32xi8>) -> tensor<16x32xi32> {
  ^bb0(%p: tensor<16x64xui8>, %q: tensor<64x32xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<16x64xui8>, tensor<64x32xi8>) -> tensor<16x32xi32>
    nn.yield %m : tensor<16x32xi32>
  }
  func.return %y : tensor<16x32xi32>
}
func.func @filled_up(%x: tensor<49x144xui8>) -> tensor<49x72xi32> {
  %w = nn.constant #nn.dense<1 : tensor<144x72xi8>>
  %y = nn.kernel(%x, %w) : (tensor<49x144xui8>, tensor<144x72xi8>) -> tensor<49x72xi32> {
  ^bb0(%p: tensor<49x144xui8>, %q: tensor<144x72xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<49x144xui8>, tensor<144x72xi8>) -> tensor<49x72xi32>
    nn.yield %m : tensor<49x72xi32>
  }
  func.return %y : tensor<49x72xi32>
}
func.func @apart(%x: tensor<33x64xui8>) -> tensor<33x512xi32> {
  %w = nn.constant #nn.dense<1 : tensor<64x512xi8>>
  %y = nn.kernel(%x, %w) : (tensor<33x64xui8>, tensor<64x512xi8>) -> tensor<33x512xi32> {
  ^bb0(%p: tensor<33x64xui8>, %q: tensor<64x512xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<33x64xui8>, tensor<64x512xi8>) -> tensor<33x512xi32>
    nn.yield %m : tensor<33x512xi32>
  }
  func.return %y : tensor<33x512xi32>
}
func.func @few_rows(%x: tensor<15x64xui8>) -> tensor<15x32xi32> {
  %w = nn.constant #nn.dense<1 : tensor<64x32xi8>>
  %y = nn.kernel(%x, %w) : (tensor<15x64xui8>, tensor<64x32xi8>) -> tensor<15x32xi32> {
  ^bb0(%p: tensor<15x64xui8>, %q: tensor<64x32xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<15x64xui8>, tensor<64x32xi8>) -> tensor<15x32xi32>
    nn.yield %m : tensor<15x32xi32>
  }
  func.return %y : tensor<15x32xi32>
}
func.func @few_steps(%x: tensor<16x12xui8>) -> tensor<16x32xi32> {
  %w = nn.constant #nn.dense<1 : tensor<12x32xi8>>
  %y = nn.kernel(%x, %w) : (tensor<16x12xui8>, tensor<12x32xi8>) -> tensor<16x32xi32> {
  ^bb0(%p: tensor<16x12xui8>, %q: tensor<12x32xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<16x12xui8>, tensor<12x32xi8>) -> tensor<16x32xi32>
    nn.yield %m : tensor<16x32xi32>
  }
  func.return %y : tensor<16x32xi32>
}
func.func @other_signs(%x: tensor<16x64xi8>) -> tensor<16x32xi32> {
  %w = nn.constant #nn.dense<1 : tensor<64x32xi8>>
  %y = nn.kernel(%x, %w) : (tensor<16x64xi8>, tensor<64x32xi8>) -> tensor<16x32xi32> {
  ^bb0(%p: tensor<16x64xi8>, %q: tensor<64x32xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<16x64xi8>, tensor<64x32xi8>) -> tensor<16x32xi32>
    nn.yield %m : tensor<16x32xi32>
  }
  func.return %y : tensor<16x32xi32>
}
func.func @computed(%x: tensor<16x64xui8>, %w: tensor<64x32xi8>) -> tensor<16x32xi32> {
  %y = nn.kernel(%x, %w) : (tensor<16x64xui8>, tensor<64x32xi8>) -> tensor<16x32xi32> {
  ^bb0(%p: tensor<16x64xui8>, %q: tensor<64x32xi8>):
    %m = nn.matmul %p, %q {accumulator = i32} : (tensor<16x64xui8>, tensor<64x32xi8>) -> tensor<16x32xi32>
    nn.yield %m : tensor<16x32xi32>
  }
  func.return %y : tensor<16x32xi32>
}
