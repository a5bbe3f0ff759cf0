// RUN: autodeploy-opt --set-machine=machine=x86-64-avx512 --configure-kernels --convert-nn-to-halide --convert-nn-to-driver --schedule-kernels --compute-in-place --plan-memory %s | filecheck %s

// A residual that is read for the last time is where the sum goes. The operand of the product, of
// the same shape, is not: each of its elements is read for a whole row of the result. What is an
// input of the program or one of its outputs stays what it is.

func.func @main(%x: tensor<28x32xf32>, %w: tensor<32x32xf32>) -> tensor<28x32xf32> {
  %a = nn.kernel(%x) : (tensor<28x32xf32>) -> tensor<28x32xf32> {
  ^bb0(%i: tensor<28x32xf32>):
    %r = nn.relu %i : (tensor<28x32xf32>) -> tensor<28x32xf32>
    nn.yield %r : tensor<28x32xf32>
  }
  %b = nn.kernel(%a) : (tensor<28x32xf32>) -> tensor<28x32xf32> {
  ^bb0(%i: tensor<28x32xf32>):
    %r = nn.exp %i : (tensor<28x32xf32>) -> tensor<28x32xf32>
    nn.yield %r : tensor<28x32xf32>
  }
  %c = nn.kernel(%b, %w, %a) {config = #nn.config<gemm>} : (tensor<28x32xf32>, tensor<32x32xf32>, tensor<28x32xf32>) -> tensor<28x32xf32> {
  ^bb0(%l: tensor<28x32xf32>, %r: tensor<32x32xf32>, %s: tensor<28x32xf32>):
    %p = nn.matmul %l, %r : (tensor<28x32xf32>, tensor<32x32xf32>) -> tensor<28x32xf32>
    %q = nn.add %p, %s : (tensor<28x32xf32>, tensor<28x32xf32>) -> tensor<28x32xf32>
    nn.yield %q : tensor<28x32xf32>
  }
  %d = nn.kernel(%c) : (tensor<28x32xf32>) -> tensor<28x32xf32> {
  ^bb0(%i: tensor<28x32xf32>):
    %r = nn.neg %i : (tensor<28x32xf32>) -> tensor<28x32xf32>
    nn.yield %r : tensor<28x32xf32>
  }
  func.return %d : tensor<28x32xf32>
}

// CHECK:      driver.program @model inputs ["input0", "input1"] outputs ["output0"] arena 7168 {
// CHECK:        %a = driver.buffer
// CHECK-NEXT:   driver.call @relu_0(%x) to (%a)
// CHECK-NEXT:   %b = driver.buffer
// CHECK-NEXT:   driver.call @exp_1(%a) to (%b)
// CHECK-NEXT:   driver.call @matmul_add_2(%b, %w, %a) to (%a)
// CHECK-NEXT:   driver.call @neg_3(%a) to (%d)
