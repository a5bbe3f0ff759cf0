// RUN: autodeploy-opt %s --narrow-weights="element=float16" | filecheck %s
// RUN: autodeploy-opt %s --narrow-weights | filecheck %s
// RUN: autodeploy-opt %s --narrow-weights="element=int8" | filecheck %s --check-prefix=CODES

// Neither computed weights, nor ones that are read twice.
func.func @computed(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = nn.kernel(%x, %w) {config = #nn.config<plain>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%p: tensor<2x2xf32>, %q: tensor<2x2xf32>):
    %m = nn.matmul %p, %q : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    nn.yield %m : tensor<2x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}

func.func @twice(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = nn.constant #nn.dense<[4.0, 2.0, 1.0, 0.5] : tensor<2x2xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<plain>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%p: tensor<2x2xf32>, %q: tensor<2x2xf32>):
    %m = nn.matmul %p, %q : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %a = nn.add %m, %q : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    nn.yield %a : tensor<2x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}

// Only codes have a scale for each column: the first one is too small for float16, the second too
// large.
func.func @range(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = nn.constant #nn.dense<[1.0e-6, 2.0, 2.0e-6, 1.0e5] : tensor<2x2xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<plain>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%p: tensor<2x2xf32>, %q: tensor<2x2xf32>):
    %m = nn.matmul %p, %q : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    nn.yield %m : tensor<2x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}


// A bias that its scale makes infinite, and a scale that is too small.
func.func @bias(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = nn.constant #nn.dense<[1.0e-26, 0.0, 2.0e-26, 0.0] : tensor<2x2xf32>>
  %b = nn.constant #nn.dense<[3.0e12, 1.0] : tensor<2xf32>>
  %y = nn.kernel(%x, %w, %b) {config = #nn.config<plain>} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32> {
  ^bb0(%p: tensor<2x2xf32>, %q: tensor<2x2xf32>, %c: tensor<2xf32>):
    %m = nn.matmul %p, %q, %c : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
    nn.yield %m : tensor<2x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}

func.func @scale(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = nn.constant #nn.dense<[1.0e-30, 0.0, 2.0e-30, 0.0] : tensor<2x2xf32>>
  %y = nn.kernel(%x, %w) {config = #nn.config<plain>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%p: tensor<2x2xf32>, %q: tensor<2x2xf32>):
    %m = nn.matmul %p, %q : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    nn.yield %m : tensor<2x2xf32>
  }
  func.return %y : tensor<2x2xf32>
}

// CHECK-NOT: xf16>
// CODES-NOT: xi8>>
// CODES:     func.func @range
// CODES:     nn.constant #nn.dense<[63, 0, 127, 127] : tensor<2x2xi8>>
// CODES:     func.func @bias
// CODES-NOT: xi8>>
