// RUN: autodeploy-opt %s --flatten-products | filecheck %s

// Each of these kernels stays as it is.

// CHECK-NOT: nn.reshape

// Each matrix has a right-hand side of its own.
func.func @several(%x: tensor<2x5x8xf32>, %w: tensor<2x8x16xf32>) -> tensor<2x5x16xf32> {
  %y = nn.kernel(%x, %w) : (tensor<2x5x8xf32>, tensor<2x8x16xf32>) -> tensor<2x5x16xf32> {
  ^bb0(%a: tensor<2x5x8xf32>, %v: tensor<2x8x16xf32>):
    %p = nn.matmul %a, %v : (tensor<2x5x8xf32>, tensor<2x8x16xf32>) -> tensor<2x5x16xf32>
    nn.yield %p : tensor<2x5x16xf32>
  }
  func.return %y : tensor<2x5x16xf32>
}

// Rows of the matrices lie side by side.
func.func @transposed(%x: tensor<2x8x5xf32>, %w: tensor<8x16xf32>) -> tensor<2x5x16xf32> {
  %y = nn.kernel(%x, %w) : (tensor<2x8x5xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32> {
  ^bb0(%a: tensor<2x8x5xf32>, %v: tensor<8x16xf32>):
    %p = nn.matmul %a, %v {transpose_lhs = true} : (tensor<2x8x5xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    nn.yield %p : tensor<2x5x16xf32>
  }
  func.return %y : tensor<2x5x16xf32>
}

// The addend is the same for both matrices, but not for all rows.
func.func @addend(%x: tensor<2x5x8xf32>, %w: tensor<8x16xf32>, %r: tensor<5x16xf32>) -> tensor<2x5x16xf32> {
  %y = nn.kernel(%x, %w, %r) : (tensor<2x5x8xf32>, tensor<8x16xf32>, tensor<5x16xf32>) -> tensor<2x5x16xf32> {
  ^bb0(%a: tensor<2x5x8xf32>, %v: tensor<8x16xf32>, %d: tensor<5x16xf32>):
    %p = nn.matmul %a, %v : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %s = nn.add %p, %d : (tensor<2x5x16xf32>, tensor<5x16xf32>) -> tensor<2x5x16xf32>
    nn.yield %s : tensor<2x5x16xf32>
  }
  func.return %y : tensor<2x5x16xf32>
}

// The right-hand side is added, too, where it is a matrix for each of the stack.
func.func @twice(%x: tensor<2x8x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x8x8xf32> {
  %y = nn.kernel(%x, %w) : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32> {
  ^bb0(%a: tensor<2x8x8xf32>, %v: tensor<8x8xf32>):
    %p = nn.matmul %a, %v : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
    %s = nn.add %p, %v : (tensor<2x8x8xf32>, tensor<8x8xf32>) -> tensor<2x8x8xf32>
    nn.yield %s : tensor<2x8x8xf32>
  }
  func.return %y : tensor<2x8x8xf32>
}

// Of a run the first rows of each matrix are there, which are not the first rows of all.
func.func @open(%x: tensor<2x5x8xf32, #nn.extents<[2, d0, 8], "n", 1 to 5>>, %w: tensor<8x16xf32>) -> tensor<2x5x16xf32, #nn.extents<[2, d0, 16], "n", 1 to 5>> {
  %y = nn.kernel(%x, %w) : (tensor<2x5x8xf32, #nn.extents<[2, d0, 8], "n", 1 to 5>>, tensor<8x16xf32>) -> tensor<2x5x16xf32, #nn.extents<[2, d0, 16], "n", 1 to 5>> {
  ^bb0(%a: tensor<2x5x8xf32, #nn.extents<[2, d0, 8], "n", 1 to 5>>, %v: tensor<8x16xf32>):
    %p = nn.matmul %a, %v : (tensor<2x5x8xf32, #nn.extents<[2, d0, 8], "n", 1 to 5>>, tensor<8x16xf32>) -> tensor<2x5x16xf32, #nn.extents<[2, d0, 16], "n", 1 to 5>>
    nn.yield %p : tensor<2x5x16xf32, #nn.extents<[2, d0, 16], "n", 1 to 5>>
  }
  func.return %y : tensor<2x5x16xf32, #nn.extents<[2, d0, 16], "n", 1 to 5>>
}
