// RUN: autodeploy-opt --assign-layouts --fold-nn-constants --simplify-nn --split-input-file %s | filecheck %s

// A transpose to channels first sinks below the factors of the channels, and cancels with the one
// behind them.

func.func @scale(%x: tensor<1x7x5x6xf32>) -> tensor<1x7x5x6xf32> {
  %factors = nn.constant #nn.dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0] : tensor<1x6x1x1xf32>>
  %turned = nn.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x7x5x6xf32>) -> tensor<1x6x7x5xf32>
  %scaled = nn.mul %turned, %factors : (tensor<1x6x7x5xf32>, tensor<1x6x1x1xf32>) -> tensor<1x6x7x5xf32>
  %back = nn.transpose %scaled {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x6x7x5xf32>) -> tensor<1x7x5x6xf32>
  func.return %back : tensor<1x7x5x6xf32>
}

// CHECK-LABEL: @scale
// CHECK-NOT:   nn.transpose
// CHECK:       nn.mul %x, %{{.*}} : (tensor<1x7x5x6xf32>, tensor<1x1x1x6xf32>) -> tensor<1x7x5x6xf32>
// CHECK-NOT:   nn.transpose

// -----

// Two transposes become one.

func.func @sum(%x: tensor<2x7x6xf32>, %y: tensor<2x7x6xf32>) -> tensor<2x6x7xf32> {
  %a = nn.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<2x7x6xf32>) -> tensor<2x6x7xf32>
  %b = nn.transpose %y {permutation = array<i64: 0, 2, 1>} : (tensor<2x7x6xf32>) -> tensor<2x6x7xf32>
  %sum = nn.add %a, %b : (tensor<2x6x7xf32>, tensor<2x6x7xf32>) -> tensor<2x6x7xf32>
  func.return %sum : tensor<2x6x7xf32>
}

// CHECK-LABEL: @sum
// CHECK:       %[[SUM:.*]] = nn.add %x, %y
// CHECK-NEXT:  nn.transpose %[[SUM]] {permutation = array<i64: 0, 2, 1>}
// CHECK-NEXT:  return

// -----

// Another op reads the transpose, too: it would stay.

func.func @two_readers(%x: tensor<1x7x5x6xf32>) -> (tensor<1x6x7x5xf32>, tensor<1x6x7x5xf32>) {
  %turned = nn.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x7x5x6xf32>) -> tensor<1x6x7x5xf32>
  %relu = nn.relu %turned : (tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32>
  func.return %turned, %relu : tensor<1x6x7x5xf32>, tensor<1x6x7x5xf32>
}

// CHECK-LABEL: @two_readers
// CHECK:       %[[TURNED:.*]] = nn.transpose %x
// CHECK-NEXT:  nn.relu %[[TURNED]]

// -----

// The other operand would have to be transposed instead.

func.func @other_operand(%x: tensor<1x7x5x6xf32>, %y: tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32> {
  %turned = nn.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x7x5x6xf32>) -> tensor<1x6x7x5xf32>
  %sum = nn.add %turned, %y : (tensor<1x6x7x5xf32>, tensor<1x6x7x5xf32>) -> tensor<1x6x7x5xf32>
  func.return %sum : tensor<1x6x7x5xf32>
}

// CHECK-LABEL: @other_operand
// CHECK:       %[[TURNED:.*]] = nn.transpose %x
// CHECK-NEXT:  nn.add %[[TURNED]], %y

// -----

// Few channels stay first: a convolution may read them plane by plane.

func.func @few(%x: tensor<1x7x5x3xf32>) -> tensor<1x3x7x5xf32> {
  %turned = nn.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x7x5x3xf32>) -> tensor<1x3x7x5xf32>
  %relu = nn.relu %turned : (tensor<1x3x7x5xf32>) -> tensor<1x3x7x5xf32>
  func.return %relu : tensor<1x3x7x5xf32>
}

// CHECK-LABEL: @few
// CHECK:       %[[TURNED:.*]] = nn.transpose %x
// CHECK-NEXT:  nn.relu %[[TURNED]]

// -----

// Another permutation stays where it is.

func.func @other_order(%x: tensor<1x7x5x6xf32>) -> tensor<1x5x7x6xf32> {
  %turned = nn.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x7x5x6xf32>) -> tensor<1x5x7x6xf32>
  %relu = nn.relu %turned : (tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  func.return %relu : tensor<1x5x7x6xf32>
}

// CHECK-LABEL: @other_order
// CHECK:       %[[TURNED:.*]] = nn.transpose %x
// CHECK-NEXT:  nn.relu %[[TURNED]]

// -----

// A transpose that is broadcast is not of the result's shape.

func.func @broadcast(%x: tensor<1x1x8xf32>) -> tensor<1x8x5xf32> {
  %other = nn.constant #nn.dense<1.0 : tensor<1x8x5xf32>>
  %turned = nn.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<1x1x8xf32>) -> tensor<1x8x1xf32>
  %sum = nn.add %turned, %other : (tensor<1x8x1xf32>, tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
  func.return %sum : tensor<1x8x5xf32>
}

// CHECK-LABEL: @broadcast
// CHECK:       nn.add %{{.*}}, %{{.*}} : (tensor<1x8x1xf32>, tensor<1x8x5xf32>) -> tensor<1x8x5xf32>
