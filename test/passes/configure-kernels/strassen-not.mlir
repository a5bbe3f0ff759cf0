// RUN: autodeploy-opt %s --set-machine=machine=x86-64-avx2 --configure-kernels=winograd=true | filecheck %s

// Near misses: sums of so few steps that making quarters costs more; rows that are too few to read weights of 7/4 the
// size; an extent without halves; weights that are not known; several matrices; one that is transposed; integers,
// which Strassen's sums might not hold; 16 bits, which would lose digits.

func.func @f(%x_few_steps: tensor<3136x64xf32>, %x_few_rows: tensor<8x768xf32>, %x_odd_steps: tensor<384x767xf32>, %x_odd_columns: tensor<384x768xf32>, %x_not_constant: tensor<384x768xf32>, %w_not_constant: tensor<768x768xf32>, %x_stack: tensor<2x384x768xf32>, %x_transposed: tensor<768x384xf32>, %x_integers: tensor<384x768xi32>, %x_halves: tensor<384x768xf16>) -> (tensor<3136x256xf32>, tensor<8x768xf32>, tensor<384x768xf32>, tensor<384x1001xf32>, tensor<384x768xf32>, tensor<2x384x768xf32>, tensor<384x768xf32>, tensor<384x768xi32>, tensor<384x768xf16>) {
  %w_few_steps = nn.constant #nn.dense<0.5 : tensor<64x256xf32>>
  %few_steps = nn.kernel(%x_few_steps, %w_few_steps) : (tensor<3136x64xf32>, tensor<64x256xf32>) -> tensor<3136x256xf32> {
  ^bb0(%x_: tensor<3136x64xf32>, %w_: tensor<64x256xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<3136x64xf32>, tensor<64x256xf32>) -> tensor<3136x256xf32>
    nn.yield %v : tensor<3136x256xf32>
  }
  %w_few_rows = nn.constant #nn.dense<0.5 : tensor<768x768xf32>>
  %few_rows = nn.kernel(%x_few_rows, %w_few_rows) : (tensor<8x768xf32>, tensor<768x768xf32>) -> tensor<8x768xf32> {
  ^bb0(%x_: tensor<8x768xf32>, %w_: tensor<768x768xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<8x768xf32>, tensor<768x768xf32>) -> tensor<8x768xf32>
    nn.yield %v : tensor<8x768xf32>
  }
  %w_odd_steps = nn.constant #nn.dense<0.5 : tensor<767x768xf32>>
  %odd_steps = nn.kernel(%x_odd_steps, %w_odd_steps) : (tensor<384x767xf32>, tensor<767x768xf32>) -> tensor<384x768xf32> {
  ^bb0(%x_: tensor<384x767xf32>, %w_: tensor<767x768xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<384x767xf32>, tensor<767x768xf32>) -> tensor<384x768xf32>
    nn.yield %v : tensor<384x768xf32>
  }
  %w_odd_columns = nn.constant #nn.dense<0.5 : tensor<768x1001xf32>>
  %odd_columns = nn.kernel(%x_odd_columns, %w_odd_columns) : (tensor<384x768xf32>, tensor<768x1001xf32>) -> tensor<384x1001xf32> {
  ^bb0(%x_: tensor<384x768xf32>, %w_: tensor<768x1001xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<384x768xf32>, tensor<768x1001xf32>) -> tensor<384x1001xf32>
    nn.yield %v : tensor<384x1001xf32>
  }
  %not_constant = nn.kernel(%x_not_constant, %w_not_constant) : (tensor<384x768xf32>, tensor<768x768xf32>) -> tensor<384x768xf32> {
  ^bb0(%x_: tensor<384x768xf32>, %w_: tensor<768x768xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<384x768xf32>, tensor<768x768xf32>) -> tensor<384x768xf32>
    nn.yield %v : tensor<384x768xf32>
  }
  %w_stack = nn.constant #nn.dense<0.5 : tensor<768x768xf32>>
  %stack = nn.kernel(%x_stack, %w_stack) : (tensor<2x384x768xf32>, tensor<768x768xf32>) -> tensor<2x384x768xf32> {
  ^bb0(%x_: tensor<2x384x768xf32>, %w_: tensor<768x768xf32>):
    %v = nn.matmul %x_, %w_ : (tensor<2x384x768xf32>, tensor<768x768xf32>) -> tensor<2x384x768xf32>
    nn.yield %v : tensor<2x384x768xf32>
  }
  %w_transposed = nn.constant #nn.dense<0.5 : tensor<768x768xf32>>
  %transposed = nn.kernel(%x_transposed, %w_transposed) : (tensor<768x384xf32>, tensor<768x768xf32>) -> tensor<384x768xf32> {
  ^bb0(%x_: tensor<768x384xf32>, %w_: tensor<768x768xf32>):
    %v = nn.matmul %x_, %w_ {transpose_lhs = true} : (tensor<768x384xf32>, tensor<768x768xf32>) -> tensor<384x768xf32>
    nn.yield %v : tensor<384x768xf32>
  }
  %w_integers = nn.constant #nn.dense<1 : tensor<768x768xi32>>
  %integers = nn.kernel(%x_integers, %w_integers) : (tensor<384x768xi32>, tensor<768x768xi32>) -> tensor<384x768xi32> {
  ^bb0(%x_: tensor<384x768xi32>, %w_: tensor<768x768xi32>):
    %v = nn.matmul %x_, %w_ : (tensor<384x768xi32>, tensor<768x768xi32>) -> tensor<384x768xi32>
    nn.yield %v : tensor<384x768xi32>
  }
  %w_halves = nn.constant #nn.dense<0.5 : tensor<768x768xf16>>
  %halves = nn.kernel(%x_halves, %w_halves) : (tensor<384x768xf16>, tensor<768x768xf16>) -> tensor<384x768xf16> {
  ^bb0(%x_: tensor<384x768xf16>, %w_: tensor<768x768xf16>):
    %v = nn.matmul %x_, %w_ : (tensor<384x768xf16>, tensor<768x768xf16>) -> tensor<384x768xf16>
    nn.yield %v : tensor<384x768xf16>
  }
  func.return %few_steps, %few_rows, %odd_steps, %odd_columns, %not_constant, %stack, %transposed, %integers, %halves : tensor<3136x256xf32>, tensor<8x768xf32>, tensor<384x768xf32>, tensor<384x1001xf32>, tensor<384x768xf32>, tensor<2x384x768xf32>, tensor<384x768xf32>, tensor<384x768xi32>, tensor<384x768xf16>
}

// CHECK-COUNT-9: config = #nn.config<gemm
// CHECK-NOT:     strassen
