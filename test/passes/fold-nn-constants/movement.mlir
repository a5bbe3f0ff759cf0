// RUN: autodeploy-opt --fold-nn-constants %s | filecheck %s

// CHECK-LABEL: @movements
// CHECK-DAG: nn.constant #nn.dense<[0, 1, 2, 3, 4, 5] : tensor<3x2xi32>>
// CHECK-DAG: nn.constant #nn.dense<[0, 3, 1, 4, 2, 5] : tensor<3x2xi32>>
// CHECK-DAG: nn.constant #nn.dense<[4, 3] : tensor<1x2xi32>>
// CHECK-DAG: nn.constant #nn.dense<[9, 0, 1, 2, 9, 3, 4, 5] : tensor<2x4xi32>>
// CHECK-DAG: nn.constant #nn.dense<[0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5] : tensor<2x6xi32>>
// CHECK-NOT: tensor<2x3xi32>
// CHECK: func.return
func.func @movements() -> () {
  %c = nn.constant #nn.dense<[0, 1, 2, 3, 4, 5] : tensor<2x3xi32>>
  %0 = nn.reshape %c : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %1 = nn.transpose %c {permutation = array<i64: 1, 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %2 = nn.slice %c {starts = array<i64: 1, 1>, sizes = array<i64: 1, 2>, steps = array<i64: 1, -1>} : (tensor<2x3xi32>) -> tensor<1x2xi32>
  %3 = nn.pad %c {pads = array<i64: 0, 1, 0, 0>, value = 9.0 : f64} : (tensor<2x3xi32>) -> tensor<2x4xi32>
  %4 = nn.concat %c, %c {axis = 1 : i64} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x6xi32>
  "test.op"(%0, %1, %2, %3, %4) : (tensor<3x2xi32>, tensor<3x2xi32>, tensor<1x2xi32>, tensor<2x4xi32>, tensor<2x6xi32>) -> ()
  func.return
}

// CHECK-LABEL: @not_constant
// CHECK: nn.concat
func.func @not_constant(%x: tensor<1xi32>) -> tensor<2xi32> {
  %c = nn.constant #nn.dense<1 : tensor<1xi32>>
  %0 = nn.concat %c, %x {axis = 0 : i64} : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// An integer tensor cannot hold the padding.
// CHECK-LABEL: @value_of_no_integer
// CHECK: nn.pad
func.func @value_of_no_integer() -> tensor<3xi8> {
  %c = nn.constant #nn.dense<[1, 2] : tensor<2xi8>>
  %0 = nn.pad %c {pads = array<i64: 1, 0>, value = 300.0 : f64} : (tensor<2xi8>) -> tensor<3xi8>
  func.return %0 : tensor<3xi8>
}
