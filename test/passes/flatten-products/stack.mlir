// RUN: autodeploy-opt %s --flatten-products | filecheck %s

// A stack of matrices times one matrix is one product: a bias of one axis stays, an addend is flat, too.

func.func @f(%x: tensor<2x3x5x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>, %r: tensor<2x3x5x16xf32>) -> tensor<2x3x5x16xf32> {
  %y = nn.kernel(%x, %w, %b, %r) : (tensor<2x3x5x8xf32>, tensor<8x16xf32>, tensor<16xf32>, tensor<2x3x5x16xf32>) -> tensor<2x3x5x16xf32> {
  ^bb0(%a: tensor<2x3x5x8xf32>, %v: tensor<8x16xf32>, %c: tensor<16xf32>, %d: tensor<2x3x5x16xf32>):
    %p = nn.matmul %a, %v, %c : (tensor<2x3x5x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<2x3x5x16xf32>
    %s = nn.add %p, %d : (tensor<2x3x5x16xf32>, tensor<2x3x5x16xf32>) -> tensor<2x3x5x16xf32>
    nn.yield %s : tensor<2x3x5x16xf32>
  }
  func.return %y : tensor<2x3x5x16xf32>
}

// CHECK:      %0 = nn.reshape %x : (tensor<2x3x5x8xf32>) -> tensor<30x8xf32>
// CHECK-NEXT: %1 = nn.reshape %r : (tensor<2x3x5x16xf32>) -> tensor<30x16xf32>
// CHECK-NEXT: %y = nn.kernel(%0, %w, %b, %1)
// CHECK:        nn.matmul %a, %v, %c : (tensor<30x8xf32>, tensor<8x16xf32>, tensor<16xf32>) -> tensor<30x16xf32>
// CHECK:        nn.add {{.*}} -> tensor<30x16xf32>
